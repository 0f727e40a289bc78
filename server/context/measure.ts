import type { StoredChat } from '../store/chat-repository.ts';
import { lastDeletedAt } from '../store/course-repository.ts';
import type { Reader } from '../store/types.ts';
import { readCourse, type Course, type CourseBounds, type Exchange } from './course.ts';
import { reckonMessage, reckonTokens } from './reckon.ts';

/** How much of a model's context a conversation takes up. */
export interface Measured {
  tokens: number;
  /** False: the model told it, for just this conversation. */
  isEstimate: boolean;
}

/**
 * A number that was told counts until it can no longer be so: for a conversation that reckons to this many times as much,
 * it was told of another one (messages were restored, or a summary dropped). The margin is for what reckoning gets wrong.
 */
const CREDIBLE_FACTOR = 1.6;
const CREDIBLE_MARGIN = 300;

/** About how many tokens an exchange is. */
export const reckonExchange = ({ question, reply }: Exchange): number =>
  reckonMessage(question) + (reply === null ? 0 : reckonMessage(reply));

/** How full the context of a chat is, or was before a message; see {@link measure}. */
export function measureChat(
  reader: Reader,
  { id, model }: Pick<StoredChat, 'id' | 'model'>,
  bounds: Pick<CourseBounds, 'beforeSeq'> = {},
): Measured | null {
  const course = readCourse(reader, id, bounds);
  return measure(course, model, lastDeletedAt(reader, id, course.summary?.uptoSeq ?? 0));
}

/**
 * How full the context is after the last exchange: what the latest reply that says so took, and what came since. What was
 * told before a message was deleted that would stand there (`deletedAt`; null: none was) doesn't count. Null: there is no
 * conversation.
 */
export function measure(
  { summary, exchanges }: Course,
  model: string,
  deletedAt: string | null,
): Measured | null {
  if (exchanges.length === 0 && summary === null) return null;
  const after = summary?.madeAtSeq ?? 0;
  let since = 0;
  let told: Measured | null = null;
  for (const { question, reply } of exchanges.toReversed()) {
    const tokens = reply?.usage?.contextTokens;
    const isOfThis =
      reply !== null && reply.seq > after && (deletedAt === null || reply.createdAt > deletedAt);
    if (isOfThis && tokens !== undefined) {
      const isEstimate = since > 0 || reply.usage?.contextEstimated === true || reply.model !== model;
      told = { tokens: tokens + since, isEstimate };
      break;
    }
    since += reckonExchange({ question, reply });
  }
  const reckoned =
    reckonTokens(summary?.text ?? '') +
    exchanges.reduce((total, exchange) => total + reckonExchange(exchange), 0);
  const isCredible = told !== null && reckoned <= told.tokens * CREDIBLE_FACTOR + CREDIBLE_MARGIN;
  return isCredible ? told : { tokens: reckoned, isEstimate: true };
}
