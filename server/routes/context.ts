import { ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { ChatContextAnswer } from '../../shared/api/context.ts';
import type { ContextService } from '../agents/context-service.ts';
import { AppError } from '../errors.ts';
import { findWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';
import type { App } from '../plugins/route.ts';

/** What these routes call. */
export interface ContextRouteDeps {
  contexts: ContextService;
  hasWorkspace: HasWorkspace;
}

/** Endpoints that tell how full a chat's context is, and summarise its older messages. */
export function setupContextRoutes(app: App, { contexts, hasWorkspace }: ContextRouteDeps): void {
  const about = {
    params: ChatParams,
    querystring: WorkspaceQuery,
    response: { 200: ChatContextAnswer },
    tags: ['Context'],
  };

  app.get(
    '/api/v1/chats/:chatId/context',
    {
      schema: {
        operationId: 'getContext',
        summary: 'How full a chat’s context is',
        description: 'What its model would read if a message were sent now.',
        ...about,
      },
    },
    async (request) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      const context = await contexts.find({ ...request.params, workspaceId });
      if (context === null) throw new AppError('chat_not_found');
      return { context };
    },
  );

  app.post(
    '/api/v1/chats/:chatId/compact',
    {
      schema: {
        operationId: 'compactContext',
        summary: 'Summarise the older messages of a chat',
        description: 'For the model; people still see them. It takes half a minute at most.',
        errors: ['chat_busy', 'conflict'],
        ...about,
      },
    },
    async (request) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      const context = await contexts.compact({ ...request.params, workspaceId });
      if (context === null) throw new AppError('chat_not_found');
      return { context };
    },
  );
}
