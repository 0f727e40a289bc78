import { ChatAnswer, ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { EditMessageBody, MessageParams, RetryBody } from '../../shared/api/message.ts';
import { findWorkspaceId } from '../plugins/workspace.ts';
import { idempotencyOf } from './idempotency.ts';
import { toolReachOf } from './tool-reach.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';
import type { ChatRouteDeps } from './chats.ts';

const MESSAGE_PATH = '/api/v1/chats/:chatId/messages/:messageId';

/** Endpoints that edit, try again, choose, delete and restore messages. */
export function setupVersionRoutes(app: App, { chats, hasWorkspace }: ChatRouteDeps): void {
  const answer = { querystring: WorkspaceQuery, response: { 200: ChatAnswer } };

  app.post(
    `${MESSAGE_PATH}/edit`,
    { schema: { params: MessageParams, body: EditMessageBody, ...answer }, preValidation: absentBodyIsEmpty },
    async (request) => {
      const { content, mode, onApproval } = request.body;
      const chat = await chats.edit({
        ...request.params,
        workspaceId: findWorkspaceId(request, hasWorkspace),
        content,
        toolReach: toolReachOf(request, onApproval),
        ...(mode === undefined ? {} : { mode }),
        ...idempotencyOf(request),
      });
      return { chat };
    },
  );

  app.post(
    '/api/v1/chats/:chatId/retry',
    { schema: { params: ChatParams, body: RetryBody, ...answer }, preValidation: absentBodyIsEmpty },
    async (request) => {
      const { messageId, onApproval } = request.body;
      const chat = await chats.retry({
        ...request.params,
        workspaceId: findWorkspaceId(request, hasWorkspace),
        toolReach: toolReachOf(request, onApproval),
        ...(messageId === undefined ? {} : { messageId }),
        ...idempotencyOf(request),
      });
      return { chat };
    },
  );

  const about = { schema: { params: MessageParams, ...answer } };

  app.post(`${MESSAGE_PATH}/show`, about, async (request) => {
    const workspaceId = findWorkspaceId(request, hasWorkspace);
    return { chat: await chats.showMessage({ ...request.params, workspaceId }) };
  });

  app.post(`${MESSAGE_PATH}/restore`, about, async (request) => {
    const workspaceId = findWorkspaceId(request, hasWorkspace);
    return { chat: await chats.restoreMessage({ ...request.params, workspaceId }) };
  });

  app.delete(MESSAGE_PATH, about, async (request) => {
    const workspaceId = findWorkspaceId(request, hasWorkspace);
    return { chat: await chats.deleteMessage({ ...request.params, workspaceId }) };
  });
}
