import { ChatContextAnswer } from '../../shared/api/context.ts';
import type { ContextService } from '../agents/context-service.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints that measure a chat's context and summarise its older messages. */
export function setupContextRoutes(app: App, contexts: ContextService): void {
  const api = createEndpoints(app, 'Context', { workspace: 'found' });
  api.get('/api/v1/chats/:chatId/context', 'getContext', 'Read how full a chat’s context is', {
    description: 'How much its model would read if a message were sent now.',
    response: { 200: ChatContextAnswer },
    result: ({ params, workspaceId }) => contexts.find({ ...params, workspaceId }),
  });

  api.post('/api/v1/chats/:chatId/compact', 'compactContext', 'Summarise the older messages of a chat', {
    description:
      'Only the model gets the summary; people still see the messages. Takes half a minute at most.',
    errors: ['chat_busy', 'conflict'],
    response: { 200: ChatContextAnswer },
    result: ({ params, workspaceId }) => contexts.compact({ ...params, workspaceId }),
  });
}
