import type { Message } from '../../shared/api/message.ts';

/**
 * Messages as people read them: each reply right after the message it answers. The service lists them by time, so
 * messages sent while a reply was being written stand before it; each gets exactly one reply, in order, which is why
 * counting pairs them.
 */
export function inReadingOrder(messages: readonly Message[]): Message[] {
  const asked = messages.filter((message) => message.role === 'user');
  const replies = messages.filter((message) => message.role === 'assistant');
  const ordered: Message[] = [];
  for (let index = 0; index < Math.max(asked.length, replies.length); index += 1) {
    for (const message of [asked[index], replies[index]]) if (message) ordered.push(message);
  }
  return ordered;
}

/** The list with each message once, as it was told last. */
export const withoutRepeats = (messages: readonly Message[]): Message[] => [
  ...new Map(messages.map((message) => [message.id, message])).values(),
];

const isSettled = (message: Message): boolean =>
  message.status !== 'pending' && message.status !== 'streaming';

/** Replies that are final now and were not, or were not known, before. */
export function findFinished(before: readonly Message[], now: readonly Message[]): Message[] {
  const done = new Set(before.filter(isSettled).map((message) => message.id));
  return now.filter((message) => message.role === 'assistant' && isSettled(message) && !done.has(message.id));
}

/** How many messages at the start of the list will not change any more. */
export function countSettled(messages: readonly Message[]): number {
  const open = messages.findIndex((message) => !isSettled(message));
  return open === -1 ? messages.length : open;
}
