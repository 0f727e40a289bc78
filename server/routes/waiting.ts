/** Requests that wait until a chat comes to rest or changes, or until the time is up (`?wait=`). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticator.ts';
import { isSameButForPosition, type SeenChat } from '../store/chat-tags.ts';
import { isReached, type ChatWaits, type WaitGoal } from '../events/chat-waits.ts';
import { knownTags } from './conditional.ts';

/** Dependencies of waiting requests. */
export interface WaitingDeps {
  waits: ChatWaits;
  authenticator: Pick<Authenticator, 'watch'>;
}

/**
 * Resolves with the chat when it reaches the goal, when the time is up, or when the service closes. `read` reads it; if
 * that rejects, so does this. Null: the client has disconnected or its key has ended.
 */
type Wait = (
  chatId: string,
  goalOf: (first: SeenChat) => WaitGoal,
  read: () => Promise<SeenChat>,
) => Promise<SeenChat | null>;

/**
 * Starts a wait of `query.wait` seconds; null: the request doesn't wait. Throws AppError `too_many_requests` if too many
 * wait already, so call it before doing anything that can't be repeated.
 */
export function startWaiting(
  request: FastifyRequest<{ Querystring: { wait?: string } }>,
  reply: FastifyReply,
  { waits, authenticator }: WaitingDeps,
): Wait | null {
  const ms = Number(request.query.wait ?? 0) * 1000;
  if (ms === 0) return null;
  const { holder, isInForce } = authenticator.watch(request.headers.authorization);
  const slot = waits.enter(holder);
  reply.raw.once('close', () => slot.leave());
  const isHeard = (): boolean => !reply.raw.destroyed && isInForce();

  return async (chatId, goalOf, read) => {
    const endsAt = performance.now() + ms;
    try {
      const first = await read();
      const goal = goalOf(first);
      if (isReached(first, goal)) return isHeard() ? first : null;
      const waited = await slot.wait(chatId, goal, endsAt - performance.now());
      if (!isHeard()) return null;
      return waited?.chat.workspaceId === first.chat.workspaceId ? waited : await read();
    } finally {
      slot.leave();
    }
  };
}

/**
 * What a request that waits for a change already knows of the chat: the tag it sent or, without one, the chat's current state. A new
 * position in the queue alone doesn't count as a change, so a tag that differs only by that counts as current.
 */
export function changeGoal(request: FastifyRequest, { tags: { shown } }: SeenChat): WaitGoal {
  const known = knownTags(request);
  if (request.headers['if-none-match'] === undefined || known.includes('*')) {
    return { for: 'change', known: shown };
  }
  return { for: 'change', known: known.find((tag) => isSameButForPosition(tag, shown)) ?? '' };
}
