import { WorkspaceList } from '../../shared/api/workspace.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { requireAdmin } from '../auth/caller.ts';
import type { App } from './route.ts';

/** Endpoints about workspaces. */
export function setupWorkspaceRoutes(app: App, listWorkspaces: () => Workspace[]): void {
  app.get('/api/v1/workspaces', { schema: { response: { 200: WorkspaceList } } }, (request, reply) => {
    requireAdmin(request.raw);
    reply.send({ workspaces: listWorkspaces() });
  });
}
