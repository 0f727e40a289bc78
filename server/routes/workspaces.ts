import { Type } from 'typebox';
import {
  UpdateWorkspaceBody,
  WorkspaceAnswer,
  WorkspaceBody,
  WorkspaceList,
} from '../../shared/api/workspace.ts';
import { callerOf } from '../auth/caller.ts';
import type { WorkspaceService } from '../chats/workspaces.ts';
import { AppError } from '../errors.ts';
import { absentBodyIsEmpty, adminOnly, type App } from '../plugins/route.ts';

const WorkspaceParams = Type.Object({ workspaceId: Type.String({ description: 'Id of the workspace.' }) });

/** Endpoints about workspaces. */
export function setupWorkspaceRoutes(app: App, workspaces: WorkspaceService): void {
  app.get(
    '/api/v1/workspaces',
    {
      schema: {
        operationId: 'listWorkspaces',
        summary: 'List the workspaces that the key may use',
        tags: ['Workspaces'],
        description: 'Oldest first.',
        response: { 200: WorkspaceList },
      },
    },
    async (request) => ({
      workspaces: await workspaces.list(callerOf(request.raw).workspaceId),
    }),
  );

  app.post(
    '/api/v1/workspaces',
    {
      schema: {
        operationId: 'createWorkspace',
        summary: 'Make a workspace',
        tags: ['Workspaces'],
        description: 'There can be 100.',
        errors: ['conflict'],
        body: WorkspaceBody,
        response: { 201: WorkspaceAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => reply.code(201).send({ workspace: await workspaces.create(request.body.name) }),
  );

  app.patch(
    '/api/v1/workspaces/:workspaceId',
    {
      schema: {
        operationId: 'updateWorkspace',
        summary: 'Change a workspace',
        tags: ['Workspaces'],
        description: 'What is absent stays.',
        params: WorkspaceParams,
        body: UpdateWorkspaceBody,
        response: { 200: WorkspaceAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const workspace = await workspaces.update(request.params.workspaceId, request.body);
      if (workspace === null) throw new AppError('workspace_not_found');
      return { workspace };
    },
  );
}
