import { CreatePromptBody, PromptAnswer, PromptList, UpdatePromptBody } from '../../shared/api/prompt.ts';
import type { PromptService } from '../chats/prompts.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about the prompts of a workspace. */
export function setupPromptRoutes(app: App, prompts: PromptService): void {
  const api = createEndpoints(app, 'Prompts', { workspace: 'required' });
  api.get('/api/v1/prompts', 'listPrompts', 'List prompts', {
    description: 'All prompts of the workspace, by name.',
    response: { 200: PromptList },
    result: ({ workspaceId }) => prompts.list(workspaceId),
  });

  api.post('/api/v1/prompts', 'createPrompt', 'Create a prompt', {
    description: 'Names don’t have to be unique. Up to 500 per workspace.',
    errors: ['conflict'],
    body: CreatePromptBody,
    response: { 201: PromptAnswer },
    result: ({ body, workspaceId }) => prompts.create(workspaceId, body),
  });

  api.patch('/api/v1/prompts/:promptId', 'updatePrompt', 'Change a prompt', {
    description: 'Absent fields stay as they are.',
    body: UpdatePromptBody,
    response: { 200: PromptAnswer },
    result: ({ params, body, workspaceId }) => prompts.update(workspaceId, params.promptId, body),
  });

  api.delete('/api/v1/prompts/:promptId', 'deletePrompt', 'Delete a prompt', {
    description: 'The response holds the deleted item. It can’t be restored.',
    response: { 200: PromptAnswer },
    result: ({ params, workspaceId }) => prompts.remove(workspaceId, params.promptId),
  });
}
