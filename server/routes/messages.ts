import { ChatAnswer, ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { ListMessagesQuery, SendMessageBody } from '../../shared/api/message.ts';
import { AppError } from '../errors.ts';
import { findWorkspaceId, requireWorkspaceId } from '../plugins/workspace.ts';
import { idempotencyOf } from './idempotency.ts';
import { sendText } from './send-text.ts';
import { toolReachOf } from './tool-reach.ts';
import { absentBodyIsEmpty, type App, type RouteDeps } from './route.ts';

/** Endpoints about the messages of a chat. */
export function setupMessageRoutes(app: App, { chats, hasWorkspace }: RouteDeps): void {
  app.get(
    '/api/v1/chats/:chatId/messages',
    // The answer (MessageList) comes ready made as JSON text, so there is no schema to write it by.
    { schema: { params: ChatParams, querystring: ListMessagesQuery } },
    async (request, reply) => {
      const { after, limit } = request.query;
      const messages = await chats.messagesAsJson(
        request.params.chatId,
        findWorkspaceId(request, hasWorkspace),
        {
          ...(after === undefined ? {} : { after }),
          ...(limit === undefined ? {} : { limit: Math.min(Number(limit), Number.MAX_SAFE_INTEGER) }),
        },
      );
      if (messages === null) throw new AppError('chat_not_found');
      reply.type('application/json; charset=utf-8');
      return typeof messages === 'string'
        ? reply.send(`{"messages":${messages}}`)
        : sendText(reply, asMessageList(messages));
    },
  );

  app.post(
    '/api/v1/chats/:chatId/messages',
    {
      schema: {
        params: ChatParams,
        body: SendMessageBody,
        querystring: WorkspaceQuery,
        response: { 200: ChatAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const { content, mode = 'agent', onApproval } = request.body;
      const chat = await chats.send({
        chatId: request.params.chatId,
        workspaceId: requireWorkspaceId(request, hasWorkspace),
        content,
        mode,
        toolReach: toolReachOf(request, onApproval),
        ...idempotencyOf(request),
      });
      return { chat };
    },
  );
}

async function* asMessageList(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"messages":';
  yield* pieces;
  yield '}';
}
