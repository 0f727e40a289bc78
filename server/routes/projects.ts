import { Type } from 'typebox';
import {
  CreateProjectBody,
  DeletedProjectAnswer,
  DeleteProjectQuery,
  ProjectAnswer,
  ProjectList,
  UpdateProjectBody,
} from '../../shared/api/project.ts';
import type { ProjectService } from '../chats/projects.ts';
import { found } from '../errors.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';

const ProjectParams = Type.Object({ projectId: Type.String({ description: 'Id of the project.' }) });

/** Endpoints about projects. */
export function setupProjectRoutes(app: App, projects: ProjectService): void {
  const api = createEndpoints(app, 'Projects');
  api.get('/api/v1/projects', {
    operationId: 'listProjects',
    summary: 'List projects',
    description: 'All projects of the workspace, in display order.',
    response: { 200: ProjectList },
    workspace: 'required',
    handle: async ({ workspaceId }) => ({ projects: await projects.list(workspaceId) }),
  });

  api.post('/api/v1/projects', {
    operationId: 'createProject',
    summary: 'Create a project',
    description: 'It is added at the end. Up to 500 per workspace.',
    errors: ['conflict'],
    body: CreateProjectBody,
    response: { 201: ProjectAnswer },
    workspace: 'required',
    handle: async ({ body, workspaceId }) => ({ project: await projects.create(workspaceId, body) }),
  });

  api.get('/api/v1/projects/:projectId', {
    operationId: 'getProject',
    summary: 'Read a project',
    params: ProjectParams,
    response: { 200: ProjectAnswer },
    workspace: 'required',
    handle: async ({ params, workspaceId }) => ({
      project: found(await projects.find(workspaceId, params.projectId), 'project_not_found'),
    }),
  });

  api.patch('/api/v1/projects/:projectId', {
    operationId: 'updateProject',
    summary: 'Change a project',
    description: 'Absent fields stay as they are. New instructions apply from the next message of its chats.',
    params: ProjectParams,
    body: UpdateProjectBody,
    response: { 200: ProjectAnswer },
    workspace: 'required',
    handle: async ({ params, body, workspaceId }) => ({
      project: found(await projects.update(workspaceId, params.projectId, body), 'project_not_found'),
    }),
  });

  api.delete('/api/v1/projects/:projectId', {
    operationId: 'deleteProject',
    summary: 'Delete a project',
    description:
      'Its chats stay, in no project. With `chats=delete` they are deleted as by `DELETE /api/v1/chats/{chatId}`, including pinned and archived ones: their replies are stopped, and each can be restored for 30 days, in no project. If this fails halfway, the project keeps the remaining chats; repeat the request to continue.\n\nThe project itself can’t be restored.',
    params: ProjectParams,
    query: DeleteProjectQuery,
    response: { 200: DeletedProjectAnswer },
    workspace: 'required',
    handle: async ({ params, query, workspaceId }) =>
      found(
        await projects.remove(workspaceId, params.projectId, query.chats === 'delete'),
        'project_not_found',
      ),
  });
}
