import type { Message } from '../../shared/api/message.ts';

/**
 * How many of these messages, in reading order, wait for the reply before them. If several wait, the first not yet taken by a
 * worker waits only for a worker.
 */
export function countWaiting(messages: readonly Message[]): number {
  let pending = 0;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const { role, status } = messages[at] ?? {};
    if (role === 'user' && status === 'pending') pending += 1;
    else if (role === 'assistant')
      return status === 'pending' || status === 'streaming' ? pending : behind(pending);
    else if (role === 'user') return pending;
  }
  return behind(pending);
}

const behind = (pending: number): number => Math.max(0, pending - 1);
