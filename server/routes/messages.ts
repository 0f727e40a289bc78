import { ChatAnswer, ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { ListMessagesQuery, SendMessageBody, StepFileParams } from '../../shared/api/message.ts';
import { callerOf } from '../auth/caller.ts';
import { attachment } from '../data/file-names.ts';
import { AppError } from '../errors.ts';
import { findWorkspaceId, requireWorkspaceId } from '../plugins/workspace.ts';
import { idempotencyOf } from './idempotency.ts';
import { sendText } from './send-text.ts';
import { toolReachOf } from './tool-reach.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';
import type { ChatRouteDeps } from './chats.ts';

/** Endpoints about the messages of a chat. */
export function setupMessageRoutes(app: App, { chats, hasWorkspace }: ChatRouteDeps): void {
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

  app.get(
    '/api/v1/chats/:chatId/files/:fileId',
    { schema: { params: StepFileParams } },
    async (request, reply) => {
      const { chatId, fileId } = request.params;
      const file = await chats.stepFile(chatId, findWorkspaceId(request, hasWorkspace), fileId);
      if (file === null) throw new AppError('not_found', 'There is no such file in this chat.');
      // What it is, its server says: nothing may open it as a page of this origin.
      return reply
        .type(file.mediaType)
        .header('x-content-type-options', 'nosniff')
        .header('content-disposition', attachment(file.name))
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('cache-control', 'no-store')
        .send(file.data);
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
      onRequest: (request) =>
        chats.admit(
          request.params.chatId,
          callerOf(request.raw).workspaceId,
          request.headers['idempotency-key'] !== undefined,
        ),
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
