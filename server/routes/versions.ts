import type { FastifySchema } from 'fastify';
import { ChatAnswer, ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import {
  ContinueBody,
  DeleteMessageQuery,
  MessageParams,
  RetryBody,
  SendMessageBody,
} from '../../shared/api/message-requests.ts';
import { MAX_SEND_BYTES } from '../../shared/limits.ts';
import { callerOf } from '../auth/caller.ts';
import { findWorkspaceId } from '../plugins/workspace.ts';
import { IDEMPOTENCY_HEADER, idempotencyOf } from './idempotency.ts';
import { toolReachOf } from './tool-reach.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';
import { FILE_ERRORS, MESSAGE_PATH } from './messages.ts';
import type { ChatRouteDeps } from './chats.ts';

/** Endpoints that edit, try again, choose, branch off, delete and restore messages. */
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

  app.post(
    `${MESSAGE_PATH}/continue`,
    {
      schema: {
        operationId: 'continueReply',
        summary: 'Go on with a reply that was cut off',
        tags: ['Messages'],
        description:
          'For the chat’s last reply, of a connected model, when it has text and was cut off: by a limit (`stopReason` `length` or `step_limit`), by a stop, or by a failure. The model that wrote it gets the conversation with the text so far as its own last message, and then a user message that asks it to go on exactly there; that message and its reply are stored and listed like any others, so the reply that was cut off stays as it is, and the rest follows in a reply of its own. It has the mode and parameters of the message that was answered. A reply that is whole, or no longer the last, is a 409 `conflict`.',
        errors: ['chat_busy', 'message_not_found', 'conflict', 'queue_full', 'idempotency_conflict'],
        requestHeaders: IDEMPOTENCY_HEADER,
        params: MessageParams,
        body: ContinueBody,
        ...answer,
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const chat = await chats.continueReply({
        ...request.params,
        workspaceId: findWorkspaceId(request, hasWorkspace),
        toolReach: toolReachOf(request, request.body.onApproval),
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
      'A user message brings its reply back. One that was deleted while it waited waits again, unless the chat rests by now or has gone past it; it is then listed without a reply. After 30 days it is gone for good, a 404.',
    ),
    async (request) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      return { chat: await chats.restoreMessage({ ...request.params, workspaceId }) };
    },
  );

  app.post(
    `${MESSAGE_PATH}/branch`,
    {
      schema: {
        operationId: 'branchChat',
        summary: 'Make a chat of the messages up to this one',
        tags: ['Versions'],
        description:
          'The new chat has copies, with ids of their own, of the messages that are listed up to this one, with their tool steps and files, and the agent, model and parameters of this chat. It is titled “… (branch)” and is `idle`: what is sent to it goes on from there. This chat stays as it is, whatever it is doing; only a message that is being written or waits can’t be copied yet.',
        errors: ['chat_busy', 'idempotency_conflict'],
        requestHeaders: {
          'Idempotency-Key':
            '1 to 255 printable characters. For 24 hours the first answer to it comes back, and no second chat is made; with another message it is a 409.',
        },
        params: MessageParams,
        querystring: WorkspaceQuery,
        response: { 201: ChatAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      const chat = await chats.branch({ ...request.params, workspaceId, ...idempotencyOf(request) });
      return reply.code(201).send({ chat });
    },
  );

  app.delete(
    MESSAGE_PATH,
    {
      schema: {
        ...answer,
        operationId: 'deleteMessage',
        summary: 'Delete a message',
        tags: ['Versions'],
        description:
          'A user message takes its reply with it. One that waits can be deleted whatever the chat is doing, and is not answered. It can be restored for 30 days.',
        errors: ['chat_busy', 'message_taken'],
        params: MessageParams,
        querystring: DeleteMessageQuery,
      },
    },
    async (request) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      const ifWaiting = request.query.ifWaiting === 'true';
      return { chat: await chats.deleteMessage({ ...request.params, workspaceId, ifWaiting }) };
    },
  );
}
