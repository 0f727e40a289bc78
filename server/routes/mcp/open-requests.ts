/**
 * MCP requests in progress, and why one ended early. Nothing is kept between requests. Clients of older protocol versions get a session id,
 * but only as a name, so that a cancellation, which is a separate request, finds what it cancels.
 */
import type { ServerResponse } from 'node:http';

/** Why a request is no longer answered: its client cancelled it or is gone, or the service is stopping. */
export type Ending = 'cancelled' | 'left' | 'stopping';

/** The requests under way. */
export interface OpenRequests {
  /** Begins one; `name`, if it can be cancelled by that, is from {@link nameOf}. Its signal's reason is an {@link Ending}. */
  open(response: ServerResponse, name: string | null): AbortSignal;
  /** Ends the one of that name, if there is one. */
  cancel(name: string): void;
  /** The service stops: ends all. */
  close(): void;
}

/** Names a request by its client (who it is, and its session) and the client's id for it; null: it can't be named. */
export const nameOf = (holder: string, sessionId: unknown, requestId: unknown): string | null =>
  typeof sessionId === 'string' && (typeof requestId === 'string' || typeof requestId === 'number')
    ? JSON.stringify([holder, sessionId, requestId])
    : null;

/** Makes the list of requests under way. */
export function createOpenRequests(): OpenRequests {
  const open = new Set<AbortController>();
  const named = new Map<string, AbortController>();
  const end = (controller: AbortController | undefined, why: Ending): void => controller?.abort(why);
  return {
    open(response, name) {
      const controller = new AbortController();
      open.add(controller);
      if (name !== null) named.set(name, controller);
      response.once('close', () => {
        open.delete(controller);
        if (name !== null && named.get(name) === controller) named.delete(name);
        if (!response.writableFinished) end(controller, 'left');
      });
      return controller.signal;
    },
    cancel: (name) => end(named.get(name), 'cancelled'),
    close() {
      for (const controller of open) end(controller, 'stopping');
    },
  };
}
