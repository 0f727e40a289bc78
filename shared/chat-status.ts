/**
 * `idle`: nothing waits. `pending`: a message waits for a worker. `processing`: a worker has it. `completed`: the reply
 * is stored, follow-up work is under way. `failed`: the reply could not be made. `stopped`: somebody stopped it.
 */
export const CHAT_STATUSES = ['idle', 'pending', 'processing', 'completed', 'failed', 'stopped'] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** Whether something is still to be done in a chat of that status. */
export const isUnsettled = (status: ChatStatus): boolean =>
  status === 'pending' || status === 'processing' || status === 'completed';
