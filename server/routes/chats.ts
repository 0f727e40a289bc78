import {
  ChatAnswer,
  Chat,
  ChatList,
  ChatParams,
  CreateChatBody,
  FindChatQuery,
  ListChatsQuery,
} from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { DEFAULT_AGENT_TYPE, DEFAULT_PAGE_SIZE } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import { findWorkspaceId, requireWorkspaceId } from '../plugins/workspace.ts';
import type { ChatService } from '../chats/chat-service.ts';
import type { WaitGoal } from '../events/chat-waits.ts';
import type { HasWorkspace } from '../plugins/workspace.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';
import type { SeenChat } from '../store/chat-tags.ts';
import {
  ETAG,
  IF_NONE_MATCH,
  NOT_MODIFIED,
  sendJson,
  sendNotModified,
  sendTag,
  tagByBody,
} from './conditional.ts';
import { changeGoal, startWaiting, type WaitingDeps } from './waiting.ts';

/** No list is as long as this many pages; it keeps the arithmetic exact. */
const LAST_PAGE = 1_000_000_000;

/** What the query's values of `archived` ask for. */
const ARCHIVED = { true: 'with', false: 'without', only: 'only' } as const;

/** What routes about chats call. */
export interface ChatRouteDeps extends WaitingDeps {
  chats: ChatService;
  hasWorkspace: HasWorkspace;
}

/** Endpoints about chats as such. */
export function setupChatRoutes(app: App, deps: ChatRouteDeps): void {
  const { chats, hasWorkspace, waits } = deps;
  // Before the server waits for its connections to end.
  app.addHook('preClose', (done) => {
    waits.close();
    done();
  });

  app.post(
    '/api/v1/chats',
    {
      schema: {
        operationId: 'createChat',
        summary: 'Make a chat',
        tags: ['Chats'],
        description: 'The body may be absent. Answers the chat itself.',
        errors: ['workspace_required'],
        body: CreateChatBody,
        querystring: WorkspaceQuery,
        response: { 201: Chat },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => {
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      const { agentType = DEFAULT_AGENT_TYPE, projectId = null } = request.body;
      return reply.code(201).send(await chats.create({ workspaceId, agentType, projectId }));
    },
  );

  app.get(
    '/api/v1/chats',
    {
      schema: {
        operationId: 'listChats',
        summary: 'List chats',
        tags: ['Chats'],
        description: 'One page of them, newest change first, and how many there are on all pages.',
        errors: ['workspace_required'],
        querystring: ListChatsQuery,
        requestHeaders: IF_NONE_MATCH,
        answers: { 200: { headers: ETAG }, 304: NOT_MODIFIED },
        response: { 200: ChatList },
      },
      onSend: tagByBody,
    },
    async (request) => {
      const {
        page = '1',
        pageSize,
        agentType,
        projectId,
        archived = 'false',
        pinned,
        deleted,
      } = request.query;
      return chats.list({
        workspaceId: requireWorkspaceId(request, hasWorkspace),
        page: Math.min(Number(page), LAST_PAGE),
        pageSize: pageSize === undefined ? DEFAULT_PAGE_SIZE : Number(pageSize),
        archived: ARCHIVED[archived],
        deleted: deleted === 'true',
        ...(pinned === undefined ? {} : { pinned: pinned === 'true' }),
        ...(agentType === undefined ? {} : { agentType }),
        ...(projectId === undefined ? {} : { projectId: projectId === 'none' ? null : projectId }),
      });
    },
  );

  app.get(
    '/api/v1/chats/:chatId',
    {
      schema: {
        operationId: 'getChat',
        summary: 'Read a chat',
        tags: ['Chats'],
        description:
          'Poll this until `status` is `idle`, `failed` or `stopped`, or have the answer wait for that with `wait`.',
        requestHeaders: IF_NONE_MATCH,
        answers: { 200: { headers: ETAG }, 304: NOT_MODIFIED },
        params: ChatParams,
        querystring: FindChatQuery,
        response: { 200: ChatAnswer },
      },
    },
    async (request, reply) => {
      const { chatId } = request.params;
      const read = async (): Promise<SeenChat> => {
        const seen = await chats.look(chatId, findWorkspaceId(request, hasWorkspace));
        if (seen === null) throw new AppError('chat_not_found');
        return seen;
      };
      const waiting = startWaiting(request, reply, deps);
      const goalOf = (seen: SeenChat): WaitGoal =>
        request.query.for === 'change' ? changeGoal(request, seen) : { for: 'rest' };
      const seen = waiting === null ? await read() : await waiting.until(chatId, goalOf, read);
      if (reply.raw.destroyed) return reply.hijack();
      if (seen === null) throw new AppError('unauthorized');
      if (sendTag(request, reply, seen.tags.shown)) return sendNotModified(reply);
      return sendJson(reply, seen.json());
    },
  );

  app.post(
    '/api/v1/chats/:chatId/stop',
    {
      schema: {
        operationId: 'stopChat',
        summary: 'Stop a chat',
        tags: ['Chats'],
        description: 'Ends the reply under way and everything that waits in the chat.',
        params: ChatParams,
        querystring: WorkspaceQuery,
        response: { 200: ChatAnswer },
      },
    },
    async (request) => {
      const chat = await chats.stop(request.params.chatId, findWorkspaceId(request, hasWorkspace));
      if (chat === null) throw new AppError('chat_not_found');
      return { chat };
    },
  );
}
