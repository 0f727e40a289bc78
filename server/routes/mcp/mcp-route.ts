import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '../../auth/authenticator.ts';
import { callerOf } from '../../auth/caller.ts';
import type { App } from '../../plugins/route.ts';
import { createOpenRequests, nameOf } from './open-requests.ts';
import type { ToolDeps } from './tool.ts';

/** Dependencies of the MCP endpoint. */
export interface McpRouteDeps extends Omit<ToolDeps, 'holder' | 'isInForce'> {
  authenticator: Authenticator;
}

const SESSION_HEADER = 'mcp-session-id';

/**
 * `/mcp`: Parley as a tool server (MCP) over streamable HTTP, with the keys of the API. Each request is answered by itself;
 * the protocol's library is loaded for the first one.
 */
export function setupMcpRoute(app: App, { authenticator, ...deps }: McpRouteDeps): void {
  const requests = createOpenRequests();
  // Before the server waits for its connections to close.
  app.addHook('preClose', (done) => {
    requests.close();
    done();
  });

  // MCP describes itself; OpenAPI can't.
  app.post('/mcp', { schema: { hide: true } }, async (request, reply) => {
    callerOf(request.raw);
    const { holder, isInForce } = authenticator.watch(request.headers.authorization);
    const { method, id, cancels } = messageOf(request);
    const name = (requestId: unknown): string | null =>
      nameOf(holder, request.headers[SESSION_HEADER], requestId);
    const cancelled = name(cancels);
    if (cancelled !== null) requests.cancel(cancelled);
    const signal = requests.open(reply.raw, name(id));
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
