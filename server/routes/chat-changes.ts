import {
  ChatAnswer,
  ChatParams,
  DeleteChatQuery,
  MoveChatBody,
  UpdateChatBody,
  type Chat,
} from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import type { ChatChanges } from '../chats/change-chat.ts';
import { AppError } from '../errors.ts';
import { findWorkspaceId, reachableWorkspace, type HasWorkspace } from '../plugins/workspace.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';

/** What the routes below call. */
export interface ChatChangeRouteDeps {
  chatChanges: ChatChanges;
  hasWorkspace: HasWorkspace;
}

/** Endpoints that name, mark, move, delete and restore chats. */
export function setupChatChangeRoutes(app: App, { chatChanges, hasWorkspace }: ChatChangeRouteDeps): void {
  app.patch(
    '/api/v1/chats/:chatId',
    {
      schema: {
        operationId: 'updateChat',
        summary: 'Change a chat',
        tags: ['Chats'],
        description: 'What is absent stays as it is.',

        params: ChatParams,
        body: UpdateChatBody,
        querystring: WorkspaceQuery,
        response: { 200: ChatAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const target = { ...request.params, workspaceId: findWorkspaceId(request, hasWorkspace) };
      return answer(await chatChanges.update(target, request.body));
    },
  );

  app.post(
    '/api/v1/chats/:chatId/move',
    {
      schema: {
        operationId: 'moveChat',
        summary: 'Move a chat to another workspace',
        tags: ['Chats'],
        description:
          'It goes with its messages, their files and its draft; it leaves its project, and notes and what is always allowed stay with the workspace. Chats in the list of deleted ones are not moved.\n\nThe chat is found in whichever workspace it is that the key may use, whatever workspace the request names: a repeat, and a move back, are the same request. A key that is bound to one workspace can’t move a chat out of it.',
        errors: ['chat_busy', 'workspace_forbidden', 'workspace_not_found'],
        params: ChatParams,
        body: MoveChatBody,
        querystring: WorkspaceQuery,
        response: { 200: ChatAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const { toWorkspaceId, projectId = null } = request.body;
      findWorkspaceId(request, hasWorkspace);
      const bound = reachableWorkspace(request, toWorkspaceId, hasWorkspace);
      const target = { ...request.params, workspaceId: bound };
      return answer(await chatChanges.move(target, { workspaceId: toWorkspaceId, projectId }));
    },
  );

  app.delete(
    '/api/v1/chats/:chatId',
    {
      schema: {
        operationId: 'deleteChat',
        summary: 'Delete a chat',
        tags: ['Chats'],
        description:
          'It is hidden and stopped at once, and can be restored for 30 days; for all but that it is a 404.\n\nWith `permanent=true` it is removed for good, from the store’s files too. Nobody can read it then, and it can’t be undone.',
        answers: {
          200: {
            description: 'It is deleted; with `permanent`, no file of the store holds its text any more.',
          },
          202: {
            description:
              'It is deleted for good, and its text is being removed: that takes more than 10 seconds, or the disk has no room for it now.',
          },
        },

        params: ChatParams,
        querystring: DeleteChatQuery,
        response: { 200: ChatAnswer, 202: ChatAnswer },
      },
    },
    async (request, reply) => {
      const target = { ...request.params, workspaceId: findWorkspaceId(request, hasWorkspace) };
      if (request.query.permanent !== 'true') return answer(await chatChanges.remove(target));
      const erased = await chatChanges.erase(target);
      if (erased?.isErased === false) reply.code(202);
      return answer(erased && erased.chat);
    },
  );

  app.post(
    '/api/v1/chats/:chatId/restore',
    {
      schema: {
        operationId: 'restoreChat',
        summary: 'Restore a deleted chat',
        tags: ['Chats'],
        description: 'A chat that isn’t deleted comes as it is.',
        params: ChatParams,
        querystring: WorkspaceQuery,
        response: { 200: ChatAnswer },
      },
    },
    async (request) => {
      const target = { ...request.params, workspaceId: findWorkspaceId(request, hasWorkspace) };
      return answer(await chatChanges.restore(target));
    },
  );
}

function answer(chat: Chat | null): ChatAnswer {
  if (chat === null) throw new AppError('chat_not_found');
  return { chat };
}
