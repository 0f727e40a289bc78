import {
  ChatAnswer,
  DeleteChatQuery,
  ErasedChats,
  MoveChatBody,
  UpdateChatBody,
} from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import type { ChatChanges } from '../chats/change-chat.ts';
import { reachableWorkspace } from '../plugins/workspace.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

const STILL_ERASING =
  'Deleted for good, and the text is still being removed: that takes more than 10 seconds, or the disk has no room for it now.';

/** Endpoints that name, mark, move, delete and restore chats. */
export function setupChatChangeRoutes(app: App, chatChanges: ChatChanges): void {
  const api = createEndpoints(app, 'Chats', { workspace: 'found' });
  api.patch('/api/v1/chats/:chatId', 'updateChat', 'Change a chat', {
    description: 'Absent fields stay as they are.',
    body: UpdateChatBody,
    response: { 200: ChatAnswer },
    result: ({ params, body, workspaceId }) => chatChanges.update({ ...params, workspaceId }, body),
  });

  api.post('/api/v1/chats/:chatId/move', 'moveChat', 'Move a chat to another workspace', {
    description:
      'Moves its messages, their files and its draft, and takes it out of its project. Notes and tool permissions stay with the workspace. Deleted chats can’t be moved.\n\nParley looks for the chat in every workspace that the key may use, whatever workspace the request names, so the same request can be repeated. A key that is limited to one workspace can’t move a chat out of it.',
    errors: ['chat_busy', 'workspace_forbidden', 'workspace_not_found'],
    body: MoveChatBody,
    response: { 200: ChatAnswer },
    result: async ({ params, body, request }) => {
      const { toWorkspaceId, projectId = null } = body;
      const bound = reachableWorkspace(request, toWorkspaceId);
      return chatChanges.move({ ...params, workspaceId: bound }, { workspaceId: toWorkspaceId, projectId });
    },
  });

  api.delete('/api/v1/chats/:chatId', 'deleteChat', 'Delete a chat', {
    description:
      'Hides and stops the chat at once. It can be restored for 30 days; any other request for it is a 404.\n\nWith `permanent=true` it is removed for good, from the store’s files too. This can’t be undone.',
    answers: {
      200: {
        description: 'The chat is deleted. With `permanent`, its text is gone from all files of the store.',
      },
      202: { description: STILL_ERASING },
    },
    query: DeleteChatQuery,
    response: { 200: ChatAnswer, 202: ChatAnswer },
    result: async ({ params, query, workspaceId, reply }) => {
      const target = { ...params, workspaceId };
      if (query.permanent !== 'true') return chatChanges.remove(target);
      const erased = await chatChanges.erase(target);
      if (erased?.isErased === false) reply.code(202);
      return erased && erased.chat;
    },
  });

  api.delete('/api/v1/deleted-chats', 'eraseDeletedChats', 'Delete all deleted chats for good', {
    description:
      'Removes the workspace’s deleted chats, from the store’s files too. This can’t be undone; other chats stay.',
    answers: {
      200: { description: 'The chats’ text is gone from all files of the store.' },
      202: { description: STILL_ERASING },
    },
    query: WorkspaceQuery,
    response: { 200: ErasedChats, 202: ErasedChats },
    workspace: 'required',
    handle: async ({ workspaceId, reply }) => {
      const { count, isErased } = await chatChanges.eraseDeleted(workspaceId);
      if (!isErased) reply.code(202);
      return { count };
    },
  });

  api.post('/api/v1/chats/:chatId/restore', 'restoreChat', 'Restore a deleted chat', {
    description: 'If the chat isn’t deleted, nothing changes.',
    response: { 200: ChatAnswer },
    result: ({ params, workspaceId }) => chatChanges.restore({ ...params, workspaceId }),
  });
}
