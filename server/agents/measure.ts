import { readingLimit } from '../connections/known-models.ts';
import type { StoredChat } from '../store/chat-repository.ts';
import { lastDeletedAt } from '../store/branch-repository.ts';
import type { Reader } from '../store/types.ts';
import { readBranch, type Branch, type BranchBounds, type HistoryExchange } from './branch.ts';
import { answerRoom, outputShare } from './limits.ts';
import { estimateMessage, estimateTokens } from '../models/estimate.ts';
import { estimateSetup } from './setup.ts';

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

/** About how many tokens an exchange is; each output of a tool at most `mostOutput`. */
const estimateExchange = ({ question, reply }: HistoryExchange, mostOutput: number): number =>
  estimateMessage(question, mostOutput) + (reply === null ? 0 : estimateMessage(reply, mostOutput));

/**
 * About how many tokens each exchange is as a model that reads `limit` tokens gets it: where not all fits, what tools gave is cut.
 */
export function* estimateExchanges(
  exchanges: readonly HistoryExchange[],
  limit: number,
): Generator<void, number[]> {
  const whole = yield* estimateEach(exchanges, Infinity);
  return sumOf(whole) <= limit - answerRoom(limit)
    ? whole
    : yield* estimateEach(exchanges, outputShare(limit));
}

function* estimateEach(exchanges: readonly HistoryExchange[], mostOutput: number): Generator<void, number[]> {
  const sizes: number[] = [];
  for (const exchange of exchanges) {
    sizes.push(estimateExchange(exchange, mostOutput));
    yield;
  }
  return sizes;
}

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** How full the context of a chat is, or was before a message; see {@link measure}. Run it with `readInSlices`. */
export function* measureChat(
  reader: Reader,
  chat: Pick<StoredChat, 'id' | 'model' | 'agentType' | 'workspaceId' | 'projectId'>,
  bounds: Pick<BranchBounds, 'beforeSeq'> = {},
): Generator<void, Measured | null> {
  const { id, model } = chat;
  const branch = yield* readBranch(reader, id, bounds);
  return yield* measure(branch, {
    model,
    limit: readingLimit(reader, model),
    deletedAt: lastDeletedAt(reader, id, branch.summary?.uptoSeq ?? 0),
    setup: () => estimateSetup(reader, chat)?.tokens ?? 0,
  });
}

/** What measuring goes by besides the conversation. */
export interface MeasureBasis {
  model: string;
  /** Tokens that it reads. */
  limit: number;
  /** When a message was deleted that would stand in the conversation; null: none was. What was told before doesn't count. */
  deletedAt: string | null;
  /** Tokens of the instructions and tools, which a number that a model told holds already. */
  setup: () => number;
}

/**
 * How full the context is after the last exchange: what the latest reply that says so took, and what came since. Null: there
 * is no conversation.
 */
export function* measure(
  { summary, exchanges }: Branch,
  { model, limit, deletedAt, setup }: MeasureBasis,
): Generator<void, Measured | null> {
  if (exchanges.length === 0 && summary === null) return null;
  const after = summary?.madeAtSeq ?? 0;
  const sizes = yield* estimateExchanges(exchanges, limit);
  let since = 0;
  let measured: Measured | null = null;
  for (const [index, { reply }] of [...exchanges.entries()].toReversed()) {
    const tokens = reply?.usage?.contextTokens;
    const isOfThis =
      reply !== null && reply.seq > after && (deletedAt === null || reply.createdAt > deletedAt);
    if (isOfThis && tokens !== undefined) {
      const isEstimate = since > 0 || reply.usage?.contextEstimated === true || reply.model !== model;
      measured = { tokens: tokens + since, isEstimate };
      break;
    }
    since += sizes[index] ?? 0;
  }
  const estimated = estimateTokens(summary?.text ?? '') + sumOf(sizes);
  const isCredible = measured !== null && estimated <= measured.tokens * CREDIBLE_FACTOR + CREDIBLE_MARGIN;
  return isCredible ? measured : { tokens: estimated + setup(), isEstimate: true };
}
