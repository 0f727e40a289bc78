import { ChatAnswer, ChatParams } from '../../shared/api/chat.ts';
import {
  ContinueBody,
  DeleteMessageQuery,
  MessageParams,
  RetryBody,
  SendMessageBody,
} from '../../shared/api/message-requests.ts';
import { MAX_SEND_BYTES } from '../../shared/limits.ts';
import { IDEMPOTENCY_HEADER, idempotencyOf } from './idempotency.ts';
import { toolReachOf } from './tool-reach.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';
import { FILE_ERRORS, MESSAGE_PATH } from './messages.ts';
import type { ChatRouteDeps } from './chats.ts';

/** Endpoints that edit, try again, choose, branch off, delete and restore messages. */
export function setupVersionRoutes(app: App, { chats }: ChatRouteDeps): void {
  const api = createEndpoints(app, 'Versions');
  const answer = { workspace: 'found', response: { 200: ChatAnswer } } as const;

  api.post(`${MESSAGE_PATH}/edit`, {
    operationId: 'editMessage',
    summary: 'Edit a user message',
    description:
      'Makes a new version of it in its place, with that one’s mode unless told otherwise, and answers the chat with status `pending`. The new version has an id of its own.',
    errors: ['chat_busy', 'idempotency_conflict', ...FILE_ERRORS],
    requestHeaders: IDEMPOTENCY_HEADER,
    params: MessageParams,
    body: SendMessageBody,
    ...answer,
    bodyLimit: MAX_SEND_BYTES,
    handle: async ({ params, body, workspaceId, caller, request }) => {
      const { content, mode, model, parameters, onApproval, attachments } = body;
      const chat = await chats.edit({
        ...params,
        workspaceId,
        content,
        mode,
        model,
        parameters,
        attachments,
        toolReach: toolReachOf(request, onApproval),
        notifies: caller.notifies,
        ...idempotencyOf(request),
      });
      return { chat };
    },
  });

  api.post('/api/v1/chats/:chatId/retry', {
    operationId: 'retryReply',
    summary: 'Have a reply made anew',
    description: 'The last one unless told otherwise. Answers the chat with status `pending`.',
    errors: ['chat_busy', 'message_not_found', 'idempotency_conflict'],
    requestHeaders: IDEMPOTENCY_HEADER,
    params: ChatParams,
    body: RetryBody,
    ...answer,
    handle: async ({ params, body, workspaceId, caller, request }) => {
      const { messageId, mode, model, parameters, onApproval } = body;
      const chat = await chats.retry({
        ...params,
        workspaceId,
        mode,
        model,
        parameters,
        toolReach: toolReachOf(request, onApproval),
        ...(messageId === undefined ? {} : { messageId }),
        notifies: caller.notifies,
        ...idempotencyOf(request),
      });
      return { chat };
    },
  });

  createEndpoints(app, 'Messages').post(`${MESSAGE_PATH}/continue`, {
    operationId: 'continueReply',
    summary: 'Go on with a reply that was cut off',
    description:
      'For the chat’s last reply, of a connected model, when it has text and was cut off: by a limit (`stopReason` `length` or `step_limit`), by a stop, or by a failure. The model that wrote it gets the conversation with the text so far as its own last message, and then a user message that asks it to go on exactly there; that message and its reply are stored and listed like any others, so the reply that was cut off stays as it is, and the rest follows in a reply of its own. It has the mode and parameters of the message that was answered. A reply that is whole, or no longer the last, is a 409 `conflict`.',
    errors: ['chat_busy', 'message_not_found', 'conflict', 'queue_full', 'idempotency_conflict'],
    requestHeaders: IDEMPOTENCY_HEADER,
    params: MessageParams,
    body: ContinueBody,
    ...answer,
    handle: async ({ params, body, workspaceId, caller, request }) => {
      const chat = await chats.continueReply({
        ...params,
        workspaceId,
        toolReach: toolReachOf(request, body.onApproval),
        notifies: caller.notifies,
        ...idempotencyOf(request),
      });
      return { chat };
    },
  });

  api.post(`${MESSAGE_PATH}/show`, {
    operationId: 'showMessage',
    summary: 'Choose a version',
    description: 'Shows the version that the message belongs to, with its whole branch.',
    errors: ['chat_busy'],
    params: MessageParams,
    ...answer,
    handle: async ({ params, workspaceId }) => ({
      chat: await chats.showMessage({ ...params, workspaceId }),
    }),
  });

  api.post(`${MESSAGE_PATH}/restore`, {
    operationId: 'restoreMessage',
    summary: 'Restore a deleted message',
    description:
      'A user message brings its reply back. One that was deleted while it waited waits again, unless the chat rests by now or has gone past it; it is then listed without a reply. After 30 days it is gone for good, a 404.',
    errors: ['chat_busy'],
    params: MessageParams,
    ...answer,
    handle: async ({ params, workspaceId }) => ({
      chat: await chats.restoreMessage({ ...params, workspaceId }),
    }),
  });

  api.post(`${MESSAGE_PATH}/branch`, {
    operationId: 'branchChat',
    summary: 'Make a chat of the messages up to this one',
    description:
      'The new chat has copies, with ids of their own, of the messages that are listed up to this one, with their tool steps and files, and the agent, model and parameters of this chat. It is titled “… (branch)” and is `idle`: what is sent to it goes on from there. This chat stays as it is, whatever it is doing; only a message that is being written or waits can’t be copied yet.',
    errors: ['chat_busy', 'idempotency_conflict'],
    requestHeaders: {
      'Idempotency-Key':
        '1 to 255 printable characters. For 24 hours the first answer to it comes back, and no second chat is made; with another message it is a 409.',
    },
    params: MessageParams,
    response: { 201: ChatAnswer },
    workspace: 'found',
    handle: async ({ params, workspaceId, request }) => {
      const chat = await chats.branch({ ...params, workspaceId, ...idempotencyOf(request) });
      return { chat };
    },
  });

  api.delete(MESSAGE_PATH, {
    ...answer,
    operationId: 'deleteMessage',
    summary: 'Delete a message',
    description:
      'A user message takes its reply with it. One that waits can be deleted whatever the chat is doing, and is not answered. It can be restored for 30 days.',
    errors: ['chat_busy', 'message_taken'],
    params: MessageParams,
    query: DeleteMessageQuery,
    handle: async ({ params, query, workspaceId }) => {
      const ifWaiting = query.ifWaiting === 'true';
      return { chat: await chats.deleteMessage({ ...params, workspaceId, ifWaiting }) };
    },
  });
}
