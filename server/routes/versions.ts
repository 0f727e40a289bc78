import { ChatAnswer } from '../../shared/api/chat.ts';
import {
  ContinueBody,
  DeleteMessageQuery,
  RetryBody,
  SendMessageBody,
} from '../../shared/api/message-requests.ts';
import { MAX_SEND_BYTES } from '../../shared/limits.ts';
import { IDEMPOTENCY_HEADER, idempotencyOf, messageSettingsOf, turnStart } from './turn-start.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import { FILE_ERRORS, MESSAGE_PATH } from './messages.ts';
import type { ChatRouteDeps } from './chats.ts';

/** Endpoints that edit, try again, choose, branch off, delete and restore messages. */
export function setupVersionRoutes(app: App, { chats }: ChatRouteDeps): void {
  const api = createEndpoints(app, 'Versions', { workspace: 'found' });

  api.post(`${MESSAGE_PATH}/edit`, 'editMessage', 'Edit a user message', {
    description:
      'Creates a new version of the message in its place, by default with the same mode. The new version has its own id. The response is the chat with status `pending`.',
    errors: ['chat_busy', 'idempotency_conflict', ...FILE_ERRORS],
    requestHeaders: IDEMPOTENCY_HEADER,
    body: SendMessageBody,
    response: { 200: ChatAnswer },
    bodyLimit: MAX_SEND_BYTES,
    result: ({ params, body, workspaceId, request }) =>
      chats.edit({ ...params, workspaceId, ...messageSettingsOf(request, body) }),
  });

  api.post('/api/v1/chats/:chatId/retry', 'retryReply', 'Retry a reply', {
    description: 'The last reply by default. The response is the chat with status `pending`.',
    errors: ['chat_busy', 'message_not_found', 'idempotency_conflict'],
    requestHeaders: IDEMPOTENCY_HEADER,
    body: RetryBody,
    response: { 200: ChatAnswer },
    result: ({ params, body, workspaceId, request }) => {
      const { messageId, mode, model, parameters, onApproval } = body;
      return chats.retry({
        ...params,
        workspaceId,
        mode,
        model,
        parameters,
        ...turnStart(request, onApproval),
        ...(messageId === undefined ? {} : { messageId }),
      });
    },
  });

  createEndpoints(app, 'Messages', { workspace: 'found' }).post(
    `${MESSAGE_PATH}/continue`,
    'continueReply',
    'Continue a reply that was cut off',
    {
      description:
        'Works for the last reply of the chat if a connected model wrote it, it has text, and it was cut off by a limit (`stopReason` `length` or `step_limit`), a stop or a failure. The same model gets the conversation, with the text so far as its own last message, and then a user message that asks it to continue exactly there. That message and its reply are stored and listed like any others: the reply that was cut off stays as it is, and the rest follows in a new reply. The mode and parameters are those of the message that was answered. A reply that is complete, or no longer the last, is a 409 `conflict`.',
      errors: ['chat_busy', 'message_not_found', 'conflict', 'queue_full', 'idempotency_conflict'],
      requestHeaders: IDEMPOTENCY_HEADER,
      body: ContinueBody,
      response: { 200: ChatAnswer },
      result: ({ params, body, workspaceId, request }) =>
        chats.continueReply({ ...params, workspaceId, ...turnStart(request, body.onApproval) }),
    },
  );

  api.post(`${MESSAGE_PATH}/show`, 'showMessage', 'Choose a version', {
    description: 'Shows the version the message belongs to, with its whole branch.',
    errors: ['chat_busy'],
    response: { 200: ChatAnswer },
    result: ({ params, workspaceId }) => chats.showMessage({ ...params, workspaceId }),
  });

  api.post(`${MESSAGE_PATH}/restore`, 'restoreMessage', 'Restore a deleted message', {
    description:
      'A user message comes back with its reply. One that was deleted while waiting waits again, unless the chat is at rest or has answered later messages; then it is listed without a reply. After 30 days it is gone for good: a 404.',
    errors: ['chat_busy'],
    response: { 200: ChatAnswer },
    result: ({ params, workspaceId }) => chats.restoreMessage({ ...params, workspaceId }),
  });

  api.post(`${MESSAGE_PATH}/branch`, 'branchChat', 'Branch into a new chat', {
    description:
      'Creates a chat with copies of the listed messages up to this one, with new ids, including their tool steps and files, and with the agent, model and parameters of this chat. Its title ends in “(branch)”, and its status is `idle`. This chat stays as it is, whatever it is doing. A message that is still being written or waiting can’t be copied yet.',
    errors: ['chat_busy', 'idempotency_conflict'],
    requestHeaders: {
      'Idempotency-Key':
        '1 to 255 printable characters. For 24 hours, a repeat with the same key gets the first response, and no second chat is created; with another message it is a 409.',
    },
    response: { 201: ChatAnswer },
    result: ({ params, workspaceId, request }) =>
      chats.branch({ ...params, workspaceId, ...idempotencyOf(request) }),
  });

  api.delete(MESSAGE_PATH, 'deleteMessage', 'Delete a message', {
    response: { 200: ChatAnswer },
    description:
      'A user message is deleted with its reply. A waiting message can be deleted at any time; it is then not answered. Deleted messages can be restored for 30 days.',
    errors: ['chat_busy', 'message_taken'],
    query: DeleteMessageQuery,
    result: ({ params, query, workspaceId }) => {
      const ifWaiting = query.ifWaiting === 'true';
      return chats.deleteMessage({ ...params, workspaceId, ifWaiting });
    },
  });
}
