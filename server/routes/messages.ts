import { ChatAnswer } from '../../shared/api/chat.ts';
import { text } from '../../shared/api/common.ts';
import {
  ListMessagesQuery,
  MessageAnswer,
  MessageList,
  SendMessageBody,
  SendMessageQuery,
} from '../../shared/api/message-requests.ts';
import { MAX_SEND_BYTES } from '../../shared/limits.ts';
import { callerOf } from '../auth/caller.ts';
import type { SeenChat } from '../store/chat-tags.ts';
import { AppError, found } from '../errors.ts';
import { ETAG, IF_NONE_MATCH, NOT_MODIFIED, sendJson, sendNotModified, sendTag } from './conditional.ts';
import { DOWNLOAD_HEADERS, FileBytes, sendDownload, sendText } from './transfer.ts';
import { IDEMPOTENCY_HEADER, messageSettingsOf } from './turn-start.ts';
import { startWaiting } from './waiting.ts';
import type { ChatRouteDeps } from './chats.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** The path of one message. */
export const MESSAGE_PATH = '/api/v1/chats/:chatId/messages/:messageId';

/** Endpoints about the messages of a chat. */
export function setupMessageRoutes(app: App, deps: ChatRouteDeps): void {
  const api = createEndpoints(app, 'Messages', { workspace: 'found' });
  const { chats } = deps;
  api.get('/api/v1/chats/:chatId/messages', 'listMessages', 'List the messages of a chat', {
    description: 'Oldest first: all messages, or those after a given one.',
    errors: ['message_not_found'],
    // It is JSON text already, so no schema serializes it.
    answers: { 200: { content: { 'application/json': MessageList }, headers: ETAG }, 304: NOT_MODIFIED },
    requestHeaders: IF_NONE_MATCH,
    query: ListMessagesQuery,
    handle: async ({ params, query, workspaceId, request, reply }) => {
      const { after, limit } = query;
      const { chatId } = params;
      if (request.headers['if-none-match'] !== undefined) {
        const seen = await chats.findSeen(chatId, workspaceId);
        if (seen !== null && sendTag(request, reply, seen.tags.stored)) return sendNotModified(reply);
      }
      // Both are read before anything can change.
      const [seen, messages] = await Promise.all([
        chats.findSeen(chatId, workspaceId),
        chats.messagesAsJson(chatId, workspaceId, {
          ...(after === undefined ? {} : { after }),
          ...(limit === undefined ? {} : { limit: Math.min(Number(limit), Number.MAX_SAFE_INTEGER) }),
        }),
      ]);
      if (seen === null || messages === null) throw new AppError('chat_not_found');
      sendTag(request, reply, seen.tags.stored);
      reply.type('application/json; charset=utf-8');
      return typeof messages === 'string'
        ? reply.send(`{"messages":${messages}}`)
        : sendText(reply, asMessageList(messages));
    },
  });

  api.get(MESSAGE_PATH, 'getMessage', 'Read one message', {
    description: 'Works even if another version is listed in its place.',
    errors: ['message_not_found'],
    answers: { 200: { content: { 'application/json': MessageAnswer } } },
    handle: async ({ params, workspaceId, reply }) => {
      const { chatId, messageId } = params;
      const message = await chats.messageAsJson(chatId, workspaceId, messageId);
      return sendJson(reply, `{"message":${message}}`);
    },
  });

  api.get('/api/v1/chats/:chatId/files/:fileId', 'getFile', 'Download a file that a tool returned', {
    description: 'One of the `files` of a step.',
    answers: { 200: { content: { '*/*': FileBytes }, headers: DOWNLOAD_HEADERS } },
    params: { fileId: text('Id of the file, from the step.') },
    handle: async ({ params, workspaceId, reply }) => {
      const { chatId, fileId } = params;
      const file = found(
        await chats.stepFile(chatId, workspaceId, fileId),
        'not_found',
        'There is no such file in this chat.',
      );
      return sendDownload(reply, file, file.data);
    },
  });

  api.post('/api/v1/chats/:chatId/messages', 'sendMessage', 'Send a message', {
    description:
      'The response is the chat with status `pending`, sent once the message is on disk. The reply is made in the background; with `wait` the response waits for it.\n\nParley accepts a burst of sends at full speed. Once 1,000 messages wait in the workspace, the next one is held for a second. If there is still no room, it gets a 429 `queue_full` before its body is read; `Retry-After` says when to try again.',
    errors: ['message_not_found', 'idempotency_conflict', 'queue_full', ...FILE_ERRORS],
    requestHeaders: IDEMPOTENCY_HEADER,
    body: SendMessageBody,
    query: SendMessageQuery,
    response: { 200: ChatAnswer },
    answers: { 200: { headers: SENT_HEADERS } },
    before: ({ params, raw, headers }) =>
      chats.admit(
        (params as { chatId: string }).chatId,
        callerOf(raw).workspaceId,
        headers['idempotency-key'] !== undefined,
      ),
    bodyLimit: MAX_SEND_BYTES,
    workspace: 'required',
    handle: async ({ params, body, workspaceId, request, reply }) => {
      const { chatId } = params;
      const wait = startWaiting(request, reply, deps);
      let messageId = '';
      const chat = await chats.send({
        chatId,
        workspaceId,
        ...messageSettingsOf(request, { ...body, mode: body.mode ?? 'agent' }),
        onMessageId: (id) => {
          messageId = id;
          reply.header('x-message-id', id).header('location', `/api/v1/chats/${chatId}/messages/${id}`);
        },
      });
      if (wait === null) return { chat };
      const read = async (): Promise<SeenChat> =>
        found(await chats.findSeen(chatId, workspaceId), 'chat_not_found', DELETED_MEANWHILE);
      const seen = await wait(chatId, () => ({ for: 'rest' }), read);
      if (reply.raw.destroyed) return reply.hijack();
      if (seen !== null && chats.isCancelled(chatId, messageId))
        throw new AppError('message_not_found', REMOVED_MEANWHILE);
      // A key that ended meanwhile gets what it would have got when it sent, and no more.
      return seen === null ? { chat } : sendJson(reply, seen.json());
    },
  });
}

/** What a send or an edit may be refused for because of its files. */
export const FILE_ERRORS = ['file_not_found', 'file_lost', 'unsupported_media_type'] as const;

/** They name the message that was sent; for a repeat, the first one. */
const SENT_HEADERS = {
  'X-Message-Id': 'Id of the message, as in the `replyTo` of its reply.',
  Location: 'Address of the message.',
};

const DELETED_MEANWHILE = 'The message was stored, but its chat was deleted before the reply was ready.';
const REMOVED_MEANWHILE = 'The message was stored, but deleted before it was answered, so there is no reply.';

async function* asMessageList(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"messages":';
  yield* pieces;
  yield '}';
}
