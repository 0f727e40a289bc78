import { Type } from 'typebox';
import {
  UpdateWorkspaceBody,
  WorkspaceAnswer,
  WorkspaceBody,
  WorkspaceList,
} from '../../shared/api/workspace.ts';
import type { WorkspaceService } from '../chats/workspaces.ts';
import { found } from '../errors.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';

const WorkspaceParams = Type.Object({ workspaceId: Type.String({ description: 'Id of the workspace.' }) });

/** Endpoints about workspaces. */
export function setupWorkspaceRoutes(app: App, workspaces: WorkspaceService): void {
  const api = createEndpoints(app, 'Workspaces');
  api.get('/api/v1/workspaces', {
    operationId: 'listWorkspaces',
    summary: 'List workspaces',
    description: 'The workspaces that the key may use, oldest first.',
    response: { 200: WorkspaceList },
    handle: async ({ caller }) => ({ workspaces: await workspaces.list(caller.workspaceId) }),
  });

  api.post('/api/v1/workspaces', {
    operationId: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'Up to 100.',
    errors: ['conflict'],
    body: WorkspaceBody,
    response: { 201: WorkspaceAnswer },
    access: 'admin',
    handle: async ({ body }) => ({ workspace: await workspaces.create(body.name) }),
  });

  api.patch('/api/v1/workspaces/:workspaceId', {
    operationId: 'updateWorkspace',
    summary: 'Change a workspace',
    description: 'Absent fields stay as they are.',
    params: WorkspaceParams,
    body: UpdateWorkspaceBody,
    response: { 200: WorkspaceAnswer },
    access: 'admin',
    handle: async ({ params, body }) => ({
      workspace: found(await workspaces.update(params.workspaceId, body), 'workspace_not_found'),
    }),
  });
}
