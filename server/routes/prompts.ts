import { Type } from 'typebox';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { CreatePromptBody, PromptAnswer, PromptList, UpdatePromptBody } from '../../shared/api/prompt.ts';
import type { PromptService } from '../chats/prompts.ts';
import { requireWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';

const PromptParams = Type.Object({ promptId: Type.String({ description: 'Id of the prompt.' }) });

/** What the routes below call. */
export interface PromptRouteDeps {
  prompts: PromptService;
  hasWorkspace: HasWorkspace;
}

/** Endpoints about the prompts of a workspace. */
export function setupPromptRoutes(app: App, { prompts, hasWorkspace }: PromptRouteDeps): void {
  app.get(
    '/api/v1/prompts',
    {
      schema: {
        operationId: 'listPrompts',
        summary: 'List prompts',
        tags: ['Prompts'],
        description: 'All of the workspace, by name.',
        errors: ['workspace_required'],
        querystring: WorkspaceQuery,
        response: { 200: PromptList },
      },
    },
    async (request) => ({ prompts: await prompts.list(requireWorkspaceId(request, hasWorkspace)) }),
  );

  app.post(
    '/api/v1/prompts',
    {
      schema: {
        operationId: 'createPrompt',
        summary: 'Keep a prompt',
        tags: ['Prompts'],
        description: 'Names need not differ. There can be 500 in a workspace.',
        errors: ['workspace_required', 'conflict'],
        querystring: WorkspaceQuery,
        body: CreatePromptBody,
        response: { 201: PromptAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => {
      const prompt = await prompts.create(requireWorkspaceId(request, hasWorkspace), request.body);
      return reply.code(201).send({ prompt });
    },
  );

  app.patch(
    '/api/v1/prompts/:promptId',
    {
      schema: {
        operationId: 'updatePrompt',
        summary: 'Change a prompt',
        tags: ['Prompts'],
        description: 'What is absent stays.',
        errors: ['workspace_required'],
        params: PromptParams,
        querystring: WorkspaceQuery,
        body: UpdatePromptBody,
        response: { 200: PromptAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      return { prompt: await prompts.update(workspaceId, request.params.promptId, request.body) };
    },
  );

  app.delete(
    '/api/v1/prompts/:promptId',
    {
      schema: {
        operationId: 'deletePrompt',
        summary: 'Delete a prompt',
        tags: ['Prompts'],
        description: 'The answer holds it for the last time: it can’t be restored.',
        errors: ['workspace_required'],
        params: PromptParams,
        querystring: WorkspaceQuery,
        response: { 200: PromptAnswer },
      },
    },
    async (request) => {
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      return { prompt: await prompts.remove(workspaceId, request.params.promptId) };
    },
  );
}
