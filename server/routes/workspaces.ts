import {
  UpdateWorkspaceBody,
  WorkspaceAnswer,
  WorkspaceBody,
  WorkspaceList,
} from '../../shared/api/workspace.ts';
import type { WorkspaceService } from '../chats/workspaces.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about workspaces. */
export function setupWorkspaceRoutes(app: App, workspaces: WorkspaceService): void {
  const api = createEndpoints(app, 'Workspaces');
  api.get('/api/v1/workspaces', 'listWorkspaces', 'List workspaces', {
    description: 'The workspaces that the key may use, oldest first.',
    response: { 200: WorkspaceList },
    result: ({ caller }) => workspaces.list(caller.workspaceId),
  });

  api.post('/api/v1/workspaces', 'createWorkspace', 'Create a workspace', {
    description: 'Up to 100.',
    errors: ['conflict'],
    body: WorkspaceBody,
    response: { 201: WorkspaceAnswer },
    access: 'admin',
    result: ({ body }) => workspaces.create(body.name),
  });

  api.patch('/api/v1/workspaces/:workspaceId', 'updateWorkspace', 'Change a workspace', {
    description: 'Absent fields stay as they are.',
    body: UpdateWorkspaceBody,
    response: { 200: WorkspaceAnswer },
    access: 'admin',
    result: ({ params, body }) => workspaces.update(params.workspaceId, body),
  });
}
