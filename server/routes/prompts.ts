import { Type } from 'typebox';
import { CreatePromptBody, PromptAnswer, PromptList, UpdatePromptBody } from '../../shared/api/prompt.ts';
import type { PromptService } from '../chats/prompts.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';

const PromptParams = Type.Object({ promptId: Type.String({ description: 'Id of the prompt.' }) });

/** Endpoints about the prompts of a workspace. */
export function setupPromptRoutes(app: App, prompts: PromptService): void {
  const api = createEndpoints(app, 'Prompts');
  api.get('/api/v1/prompts', {
    operationId: 'listPrompts',
    summary: 'List prompts',
    description: 'All prompts of the workspace, by name.',
    response: { 200: PromptList },
    workspace: 'required',
    handle: async ({ workspaceId }) => ({ prompts: await prompts.list(workspaceId) }),
  });

  api.post('/api/v1/prompts', {
    operationId: 'createPrompt',
    summary: 'Create a prompt',
    description: 'Names don’t have to be unique. Up to 500 per workspace.',
    errors: ['conflict'],
    body: CreatePromptBody,
    response: { 201: PromptAnswer },
    workspace: 'required',
    handle: async ({ body, workspaceId }) => ({ prompt: await prompts.create(workspaceId, body) }),
  });

  api.patch('/api/v1/prompts/:promptId', {
    operationId: 'updatePrompt',
    summary: 'Change a prompt',
    description: 'Absent fields stay as they are.',
    params: PromptParams,
    body: UpdatePromptBody,
    response: { 200: PromptAnswer },
    workspace: 'required',
    handle: async ({ params, body, workspaceId }) => ({
      prompt: await prompts.update(workspaceId, params.promptId, body),
    }),
  });

  api.delete('/api/v1/prompts/:promptId', {
    operationId: 'deletePrompt',
    summary: 'Delete a prompt',
    description: 'The response holds the deleted item. It can’t be restored.',
    params: PromptParams,
    response: { 200: PromptAnswer },
    workspace: 'required',
    handle: async ({ params, workspaceId }) => ({
      prompt: await prompts.remove(workspaceId, params.promptId),
    }),
  });
}
