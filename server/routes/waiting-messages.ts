import { ChatAnswer } from '../../shared/api/chat.ts';
import { ChangeMessageBody, MoveMessageBody } from '../../shared/api/message-requests.ts';
import { MAX_SEND_BYTES } from '../../shared/limits.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import type { ChatRouteDeps } from './chats.ts';
import { FILE_ERRORS, MESSAGE_PATH } from './messages.ts';
import { messageSettingsOf } from './turn-start.ts';

/** Endpoints about messages that wait. */
export function setupWaitingMessageRoutes(app: App, { chats }: ChatRouteDeps): void {
  const api = createEndpoints(app, 'Waiting messages', { workspace: 'found' });
  api.patch(MESSAGE_PATH, 'changeWaitingMessage', 'Change a waiting message', {
    response: { 200: ChatAnswer },
    description:
      'Absent fields stay as they are. The message keeps its id and its place. Files it no longer has are deleted.',
    errors: ['message_taken', 'idempotency_conflict', ...FILE_ERRORS],
    requestHeaders: {
      'Idempotency-Key':
        '1 to 255 printable characters. For 24 hours, a repeat with the same key gets the first response, even if the message has been taken since; with another change it is a 409.',
    },
    body: ChangeMessageBody,
    bodyLimit: MAX_SEND_BYTES,
    result: ({ params, body, workspaceId, request }) =>
      chats.changeWaiting({
        ...params,
        workspaceId,
        onApproval: body.onApproval,
        ...messageSettingsOf(request, body),
      }),
  });

  api.post(`${MESSAGE_PATH}/move`, 'moveWaitingMessage', 'Move a waiting message', {
    response: { 200: ChatAnswer },
    description:
      'Messages of a chat are answered in the order of the list, so this changes which is answered first. If the reply to the message, or to the one named in `before`, has started by now, nothing is moved.',
    errors: ['message_taken'],
    body: MoveMessageBody,
    result: ({ params, body, workspaceId }) =>
      chats.moveWaiting({ ...params, workspaceId, before: body.before }),
  });

  api.post(`${MESSAGE_PATH}/send-now`, 'sendWaitingMessageNow', 'Send a waiting message now', {
    response: { 200: ChatAnswer },
    description:
      'Stops the reply in progress, keeping what is written (`stopReason: "stopped"`), and answers this message next. Other messages keep waiting.',
    errors: ['message_taken'],
    result: ({ params, workspaceId }) => chats.sendWaitingNow({ ...params, workspaceId }),
  });
}
