import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '../../auth/authenticator.ts';
import { callerOf } from '../../auth/caller.ts';
import type { App } from '../../plugins/endpoints.ts';
import type { CallEnd, ToolDeps } from './tool.ts';

/** Dependencies of the MCP endpoint. */
export interface McpRouteDeps extends Omit<ToolDeps, 'holder' | 'isInForce'> {
  authenticator: Authenticator;
}

const SESSION_HEADER = 'mcp-session-id';

/**
 * `/mcp`: Parley as a tool server (MCP) over streamable HTTP, with the keys of the API. Each request is answered by
 * itself, and nothing is kept between requests; the protocol's library is loaded for the first one. Clients of older
 * protocol versions get a session id, but only as a name, so that a cancellation, which is a separate request, finds
 * what it cancels.
 */
export function setupMcpRoute(app: App, { authenticator, ...deps }: McpRouteDeps): void {
  const open = new Set<AbortController>();
  const named = new Map<string, AbortController>();
  const end = (controller: AbortController | undefined, why: CallEnd): void => controller?.abort(why);
  // Before the server waits for its connections to close.
  app.addHook('preClose', (done) => {
    for (const controller of open) end(controller, 'stopping');
    done();
  });

  /** Begins a request that can be cancelled by that name; the reason of its signal is an {@link CallEnd}. */
  function begin(response: ServerResponse, name: string | null): AbortSignal {
    const controller = new AbortController();
    open.add(controller);
    if (name !== null) named.set(name, controller);
    response.once('close', () => {
      open.delete(controller);
      if (name !== null && named.get(name) === controller) named.delete(name);
      if (!response.writableFinished) end(controller, 'left');
    });
    return controller.signal;
  }

  // MCP describes itself; OpenAPI can't.
  app.post('/mcp', { schema: { hide: true } }, async (request, reply) => {
    callerOf(request.raw);
    const { holder, isInForce } = authenticator.watch(request.headers.authorization);
    const { method, id, cancels } = messageOf(request);
    /** A request by its client (whose key it is, and its session) and the client's id for it; null: it has none. */
    const nameOf = (requestId: unknown): string | null => {
      const sessionId = request.headers[SESSION_HEADER];
      const isNamed = typeof requestId === 'string' || typeof requestId === 'number';
      return sessionId !== undefined && isNamed ? JSON.stringify([holder, sessionId, requestId]) : null;
    };
    end(named.get(nameOf(cancels) ?? ''), 'cancelled');
    const signal = begin(reply.raw, nameOf(id));
    if (method === 'initialize') reply.header(SESSION_HEADER, randomUUID());
    const { answerMcp } = await import('./answer.ts');
    return reply.send(await answerMcp(request, signal, { ...deps, holder, isInForce }));
  });
}

/** The parts of a JSON-RPC message that matter for routing it; none for a batch. */
function messageOf({ body }: FastifyRequest): { method?: unknown; id?: unknown; cancels?: unknown } {
  const { method, id, params } = (body ?? {}) as { method?: unknown; id?: unknown; params?: unknown };
  if (method !== 'notifications/cancelled') return { method, id };
  return { method, cancels: ((params ?? {}) as { requestId?: unknown }).requestId };
}
