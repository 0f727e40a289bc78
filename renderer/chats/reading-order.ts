import type { Message } from '../../shared/api/message.ts';
import { isUnfinished } from '../../shared/choices.ts';

/**
 * Messages in reading order: each reply right after the message it answers. The service lists them by time, so
 * messages sent while a reply was being generated come before it.
 */
export function inReadingOrder(messages: readonly Message[]): Message[] {
  const questionIds = new Set(messages.filter(({ role }) => role === 'user').map(({ id }) => id));
  /** A reply whose question isn't listed stays where it is. */
  const isAnswer = ({ role, replyTo }: Message): boolean =>
    role === 'assistant' && replyTo !== undefined && questionIds.has(replyTo);
  const replies = Map.groupBy(messages.filter(isAnswer), ({ replyTo }) => replyTo);
  return messages.flatMap((message) =>
    isAnswer(message) ? [] : [message, ...(replies.get(message.id) ?? [])],
  );
}

/** Whether a message will no longer change by itself. */
const isSettled = ({ status }: Message): boolean => !isUnfinished(status);

/** Replies that are final now, and weren't before or are new. */
export function findFinished(before: readonly Message[], now: readonly Message[]): Message[] {
  // Long conversations change only at their end.
  let same = 0;
  while (same < now.length && now[same] === before[same]) same += 1;
  const done = new Set(
    before
      .slice(same)
      .filter(isSettled)
      .map(({ id }) => id),
  );
  return now
    .slice(same)
    .filter((message) => message.role === 'assistant' && isSettled(message) && !done.has(message.id));
}
