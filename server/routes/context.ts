import { ChatParams } from '../../shared/api/chat.ts';
import { ChatContextAnswer } from '../../shared/api/context.ts';
import type { ContextService } from '../agents/context-service.ts';
import { found } from '../errors.ts';
import type { App } from '../plugins/route.ts';
import { createEndpoints } from '../plugins/endpoints.ts';

/** Endpoints that measure a chat's context and summarise its older messages. */
export function setupContextRoutes(app: App, contexts: ContextService): void {
  const api = createEndpoints(app, 'Context');
  const about = {
    params: ChatParams,
    response: { 200: ChatContextAnswer },
    workspace: 'found',
  } as const;

  api.get('/api/v1/chats/:chatId/context', {
    operationId: 'getContext',
    summary: 'Read how full a chat’s context is',
    description: 'How much its model would read if a message were sent now.',
    ...about,
    handle: async ({ params, workspaceId }) => ({
      context: found(await contexts.find({ ...params, workspaceId }), 'chat_not_found'),
    }),
  });

  api.post('/api/v1/chats/:chatId/compact', {
    operationId: 'compactContext',
    summary: 'Summarise the older messages of a chat',
    description:
      'Only the model gets the summary; people still see the messages. Takes half a minute at most.',
    errors: ['chat_busy', 'conflict'],
    ...about,
    handle: async ({ params, workspaceId }) => ({
      context: found(await contexts.compact({ ...params, workspaceId }), 'chat_not_found'),
    }),
  });
}
