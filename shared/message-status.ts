/** How far a message is; `Message` says what each means. */
export const MESSAGE_STATUSES = ['pending', 'streaming', 'complete', 'error', 'compacted'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Whether a message of that status still waits or is being written. */
export const isUnfinished = (status: MessageStatus): boolean =>
  status === 'pending' || status === 'streaming';
