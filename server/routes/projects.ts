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
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about projects. */
export function setupProjectRoutes(app: App, projects: ProjectService): void {
  const api = createEndpoints(app, 'Projects', { workspace: 'required' });
  api.get('/api/v1/projects', 'listProjects', 'List projects', {
    description: 'All projects of the workspace, in display order.',
    response: { 200: ProjectList },
    result: ({ workspaceId }) => projects.list(workspaceId),
  });

  api.post('/api/v1/projects', 'createProject', 'Create a project', {
    description: 'It is added at the end. Up to 500 per workspace.',
    errors: ['conflict'],
    body: CreateProjectBody,
    response: { 201: ProjectAnswer },
    result: ({ body, workspaceId }) => projects.create(workspaceId, body),
  });

  api.get('/api/v1/projects/:projectId', 'getProject', 'Read a project', {
    response: { 200: ProjectAnswer },
    result: ({ params, workspaceId }) => projects.find(workspaceId, params.projectId),
  });

  api.patch('/api/v1/projects/:projectId', 'updateProject', 'Change a project', {
    description: 'Absent fields stay as they are. New instructions apply from the next message of its chats.',
    body: UpdateProjectBody,
    response: { 200: ProjectAnswer },
    result: ({ params, body, workspaceId }) => projects.update(workspaceId, params.projectId, body),
  });

  api.delete('/api/v1/projects/:projectId', 'deleteProject', 'Delete a project', {
    description:
      'Its chats stay, in no project. With `chats=delete` they are deleted as by `DELETE /api/v1/chats/{chatId}`, including pinned and archived ones: their replies are stopped, and each can be restored for 30 days, in no project. If this fails halfway, the project keeps the remaining chats; repeat the request to continue.\n\nThe project itself can’t be restored.',
    query: DeleteProjectQuery,
    response: { 200: DeletedProjectAnswer },
    handle: async ({ params, query, workspaceId }) =>
      found(
        await projects.remove(workspaceId, params.projectId, query.chats === 'delete'),
        'project_not_found',
      ),
  });
}
