import { ChatAnswer, ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { ListMessagesQuery, MessageList, SendMessageBody, StepFileParams } from '../../shared/api/message.ts';
import { callerOf } from '../auth/caller.ts';
import { attachment } from '../data/file-names.ts';
import { AppError } from '../errors.ts';
import { findWorkspaceId, requireWorkspaceId } from '../plugins/workspace.ts';
import { IDEMPOTENCY_HEADER, idempotencyOf } from './idempotency.ts';
import { DOWNLOAD_HEADERS, FileBytes } from './download.ts';
import { sendText } from './send-text.ts';
import { toolReachOf } from './tool-reach.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';
import type { ChatRouteDeps } from './chats.ts';

/** Endpoints about the messages of a chat. */
export function setupMessageRoutes(app: App, { chats, hasWorkspace }: ChatRouteDeps): void {
  app.get(
    '/api/v1/chats/:chatId/messages',
    {
      schema: {
        operationId: 'listMessages',
        summary: 'List the messages of a chat',
        tags: ['Messages'],
        description: 'Oldest first; all, or those after a message.',
        errors: ['message_not_found'],
        // It comes ready made as JSON text, so there is no schema to write it by.
        answers: { 200: { content: { 'application/json': MessageList } } },
        params: ChatParams,
        querystring: ListMessagesQuery,
      },
    },
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
    {
      schema: {
        operationId: 'getFile',
        summary: 'Download a file that a tool gave',
        tags: ['Messages'],
        description: 'A step’s `files` name them.',
        answers: { 200: { content: { '*/*': FileBytes }, headers: DOWNLOAD_HEADERS } },
        params: StepFileParams,
        querystring: WorkspaceQuery,
      },
    },
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
        operationId: 'sendMessage',
        summary: 'Send a message',
        tags: ['Messages'],
        description:
          'Answers the chat with status `pending`, once the message is on disk. The reply is made in the background.\n\nUnder load a burst of sends is taken at full speed. Once 1,000 messages wait in the workspace, one more gets the 429 `queue_full`, before its body is read; `Retry-After` says when there will be room.',
        errors: ['workspace_required', 'idempotency_conflict', 'queue_full'],
        requestHeaders: IDEMPOTENCY_HEADER,

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
