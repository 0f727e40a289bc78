import type { FastifyRequest } from 'fastify';
import { callerOf } from '../auth/caller.ts';
import { AppError, found } from '../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a workspace with this id exists. */
    hasWorkspace: (id: string) => boolean;
  }
}

/** What of a request can name a workspace. */
type NamingRequest = Pick<FastifyRequest, 'raw' | 'headers' | 'query' | 'body' | 'server'>;

const HEADER = 'x-workspace-id';

/**
 * The workspace a request is about: the one its key is bound to, or the one it names in body, query or header; null when
 * an unbound key names none. Throws `invalid_request` when it names several, `workspace_forbidden` when the key is bound
 * to another and `workspace_not_found` when there is none of that id.
 */
export function findWorkspaceId(request: NamingRequest): string | null {
  const named = namedWorkspace(request);
  const { workspaceId: bound } = callerOf(request.raw);
  if (bound !== null) {
    if (named !== null && named !== bound) throw new AppError('workspace_forbidden');
    return bound;
  }
  if (named !== null && !request.server.hasWorkspace(named)) throw new AppError('workspace_not_found');
  return named;
}

/** As {@link findWorkspaceId}, but throws `workspace_required` where that gives null. */
export function requireWorkspaceId(request: NamingRequest): string {
  return found(findWorkspaceId(request), 'workspace_required');
}

/**
 * Throws `workspace_forbidden` or `workspace_not_found` unless the request's key may use that workspace; returns the one that the
 * key is bound to, or null.
 */
export function reachableWorkspace(
  request: Pick<FastifyRequest, 'raw' | 'server'>,
  id: string,
): string | null {
  const { workspaceId: bound } = callerOf(request.raw);
  if (bound !== null && bound !== id) throw new AppError('workspace_forbidden');
  if (bound === null && !request.server.hasWorkspace(id)) throw new AppError('workspace_not_found');
  return bound;
}

function namedWorkspace(request: NamingRequest): string | null {
  const body = request.body as { workspaceId?: string } | undefined;
  const query = request.query as { workspaceId?: string | string[] };
  const header = request.headers[HEADER] as string | undefined;
  let named: string | null = null;
  for (const name of [body?.workspaceId, query.workspaceId, header]) {
    if (name === undefined || name === '') continue;
    // Given twice in a query it is a list, where the route has no schema for it.
    if (Array.isArray(name) || (named !== null && named !== name)) {
      throw new AppError(
        'invalid_request',
        'The request names several workspaces. Name one, in the body, the query or the X-Workspace-Id header.',
      );
    }
    named = name;
  }
  return named;
}
