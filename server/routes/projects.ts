import { Type } from 'typebox';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import {
  CreateProjectBody,
  DeletedProjectAnswer,
  DeleteProjectQuery,
  ProjectAnswer,
  ProjectList,
  UpdateProjectBody,
  type Project,
} from '../../shared/api/project.ts';
import type { ProjectService } from '../chats/projects.ts';
import { AppError } from '../errors.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';
import { requireWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';

const ProjectParams = Type.Object({ projectId: Type.String({ description: 'Id of the project.' }) });

/** What the routes below call. */
export interface ProjectRouteDeps {
  projects: ProjectService;
  hasWorkspace: HasWorkspace;
}

/** Endpoints about projects. */
export function setupProjectRoutes(app: App, { projects, hasWorkspace }: ProjectRouteDeps): void {
  app.get(
    '/api/v1/projects',
    {
      schema: {
        operationId: 'listProjects',
        summary: 'List projects',
        tags: ['Projects'],
        description: 'All of the workspace, in their order.',
        errors: ['workspace_required'],
        querystring: WorkspaceQuery,
        response: { 200: ProjectList },
      },
    },
    async (request) => ({ projects: await projects.list(requireWorkspaceId(request, hasWorkspace)) }),
  );

  app.post(
    '/api/v1/projects',
    {
      schema: {
        operationId: 'createProject',
        summary: 'Make a project',
        tags: ['Projects'],
        description: 'It becomes the last one. There can be 500 in a workspace.',
        errors: ['workspace_required', 'conflict'],
        querystring: WorkspaceQuery,
        body: CreateProjectBody,
        response: { 201: ProjectAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => {
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      return reply.code(201).send({ project: await projects.create(workspaceId, request.body) });
    },
  );

  app.get(
    '/api/v1/projects/:projectId',
    {
      schema: {
        operationId: 'getProject',
        summary: 'Read a project',
        tags: ['Projects'],
        errors: ['workspace_required'],
        params: ProjectParams,
        querystring: WorkspaceQuery,
        response: { 200: ProjectAnswer },
      },
    },
    async (request) =>
      answerWith(await projects.find(requireWorkspaceId(request, hasWorkspace), request.params.projectId)),
  );

  app.patch(
    '/api/v1/projects/:projectId',
    {
      schema: {
        operationId: 'updateProject',
        summary: 'Change a project',
        tags: ['Projects'],
        description: 'What is absent stays. Instructions count from the next message of its chats on.',
        errors: ['workspace_required'],
        params: ProjectParams,
        querystring: WorkspaceQuery,
        body: UpdateProjectBody,
        response: { 200: ProjectAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      return answerWith(await projects.update(workspaceId, request.params.projectId, request.body));
    },
  );

  app.delete(
    '/api/v1/projects/:projectId',
    {
      schema: {
        operationId: 'deleteProject',
        summary: 'Delete a project',
        tags: ['Projects'],
        description:
          'Its chats stay, and are in no project from then on. With `chats=delete` they are deleted as `DELETE /api/v1/chats/{chatId}` does, pinned and archived ones too: replies under way are stopped, and each can be restored for 30 days, in no project. When the service refuses or stops halfway, the project is still there with the chats that are left, and a repeat goes on.\n\nThe project itself can’t be restored.',
        errors: ['workspace_required'],
        params: ProjectParams,
        querystring: DeleteProjectQuery,
        response: { 200: DeletedProjectAnswer },
      },
    },
    async (request) => {
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      const withChats = request.query.chats === 'delete';
      const deleted = await projects.remove(workspaceId, request.params.projectId, withChats);
      if (deleted === null) throw new AppError('project_not_found');
      return deleted;
    },
  );
}

function answerWith(project: Project | null): ProjectAnswer {
  if (project === null) throw new AppError('project_not_found');
  return { project };
}
