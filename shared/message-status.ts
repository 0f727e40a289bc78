/**
 * User messages are `pending` until a worker takes them, then `complete`. Assistant messages are `pending` (nothing
 * written yet), `streaming`, then `complete` or `error`. `compacted`: part of a summary for the model; still readable.
 */
export const MESSAGE_STATUSES = ['pending', 'streaming', 'complete', 'error', 'compacted'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Whether a message of that status still waits or is being written. */
export const isUnfinished = (status: MessageStatus): boolean =>
  status === 'pending' || status === 'streaming';
