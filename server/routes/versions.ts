import type { FastifySchema } from 'fastify';
import { ChatAnswer, ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { MessageParams, RetryBody, SendMessageBody } from '../../shared/api/message-requests.ts';
import { MAX_SEND_BYTES } from '../../shared/limits.ts';
import { callerOf } from '../auth/caller.ts';
import { findWorkspaceId } from '../plugins/workspace.ts';
import { IDEMPOTENCY_HEADER, idempotencyOf } from './idempotency.ts';
import { toolReachOf } from './tool-reach.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';
import { FILE_ERRORS } from './messages.ts';
import type { ChatRouteDeps } from './chats.ts';

const MESSAGE_PATH = '/api/v1/chats/:chatId/messages/:messageId';

/** Endpoints that edit, try again, choose, delete and restore messages. */
export function setupVersionRoutes(app: App, { chats, hasWorkspace }: ChatRouteDeps): void {
  const answer = { querystring: WorkspaceQuery, response: { 200: ChatAnswer } };

  app.post(
    `${MESSAGE_PATH}/edit`,
    {
      schema: {
        operationId: 'editMessage',
        summary: 'Edit a user message',
        tags: ['Versions'],
        description:
          'Makes a new version of it in its place, with that one’s mode unless told otherwise, and answers the chat with status `pending`. The new version has an id of its own.',
        errors: ['chat_busy', 'idempotency_conflict', ...FILE_ERRORS],
        requestHeaders: IDEMPOTENCY_HEADER,
        params: MessageParams,
        body: SendMessageBody,
        ...answer,
      },
      bodyLimit: MAX_SEND_BYTES,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const { content, mode, model, parameters, onApproval, attachments } = request.body;
      const chat = await chats.edit({
        ...request.params,
        workspaceId: findWorkspaceId(request, hasWorkspace),
        content,
        mode,
        model,
        parameters,
        attachments,
        toolReach: toolReachOf(request, onApproval),
        notifies: callerOf(request.raw).notifies,
        ...idempotencyOf(request),
      });
      return { chat };
    },
  );

  app.post(
    '/api/v1/chats/:chatId/retry',
    {
      schema: {
        operationId: 'retryReply',
        summary: 'Have a reply made anew',
        tags: ['Versions'],
        description: 'The last one unless told otherwise. Answers the chat with status `pending`.',
        errors: ['chat_busy', 'message_not_found', 'idempotency_conflict'],
        requestHeaders: IDEMPOTENCY_HEADER,
        params: ChatParams,
        body: RetryBody,
        ...answer,
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const { messageId, mode, model, parameters, onApproval } = request.body;
      const chat = await chats.retry({
        ...request.params,
        workspaceId: findWorkspaceId(request, hasWorkspace),
        mode,
        model,
        parameters,
        toolReach: toolReachOf(request, onApproval),
        ...(messageId === undefined ? {} : { messageId }),
        notifies: callerOf(request.raw).notifies,
        ...idempotencyOf(request),
      });
      return { chat };
    },
  );

  const about = (
    operationId: string,
    summary: string,
    description: string,
  ): { schema: typeof answer & { params: typeof MessageParams } & FastifySchema } => ({
    schema: {
      operationId,
      summary,
      description,
      tags: ['Versions'],
      errors: ['chat_busy'],
      params: MessageParams,
      ...answer,
    },
  });

  app.post(
    `${MESSAGE_PATH}/show`,
    about(
      'showMessage',
      'Choose a version',
      'Shows the version that the message belongs to, with its whole branch.',
    ),
    async (request) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      return { chat: await chats.showMessage({ ...request.params, workspaceId }) };
    },
  );

  app.post(
    `${MESSAGE_PATH}/restore`,
    about(
      'restoreMessage',
      'Restore a deleted message',
      'A user message brings its reply back. After 30 days it is gone for good, a 404.',
    ),
    async (request) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      return { chat: await chats.restoreMessage({ ...request.params, workspaceId }) };
    },
  );

  app.delete(
    MESSAGE_PATH,
    about(
      'deleteMessage',
      'Delete a message',
      'A user message takes its reply with it. It can be restored for 30 days.',
    ),
    async (request) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      return { chat: await chats.deleteMessage({ ...request.params, workspaceId }) };
    },
  );
}
