import {
  ChatAnswer,
  Chat,
  ChatList,
  CreateChatBody,
  FindChatQuery,
  ListChatsQuery,
} from '../../shared/api/chat.ts';
import { DEFAULT_AGENT_TYPE, DEFAULT_PAGE_SIZE } from '../../shared/limits.ts';
import { AppError, found } from '../errors.ts';
import type { ChatService } from '../chats/chat-service.ts';
import type { WaitGoal } from '../events/chat-waits.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
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
}

/** Endpoints about chats as such. */
export function setupChatRoutes(app: App, deps: ChatRouteDeps): void {
  const api = createEndpoints(app, 'Chats');
  const { chats } = deps;

  api.post('/api/v1/chats', 'createChat', 'Create a chat', {
    description: 'The body is optional. The response is the chat itself.',
    body: CreateChatBody,
    response: { 201: Chat },
    workspace: 'required',
    handle: async ({ body, workspaceId }) => {
      const { agentType = DEFAULT_AGENT_TYPE, projectId = null, title, model } = body;
      return chats.create({ workspaceId, agentType, projectId, title, model });
    },
  });

  api.get('/api/v1/chats', 'listChats', 'List chats', {
    description: 'One page, latest change first, and the number of chats on all pages.',
    query: ListChatsQuery,
    requestHeaders: IF_NONE_MATCH,
    answers: { 200: { headers: ETAG }, 304: NOT_MODIFIED },
    response: { 200: ChatList },
    onSend: tagByBody,
    workspace: 'required',
    handle: async ({ query, workspaceId }) => {
      const { page = '1', pageSize, agentType, projectId, archived = 'false', pinned, deleted } = query;
      return chats.list({
        workspaceId,
        page: Math.min(Number(page), LAST_PAGE),
        pageSize: pageSize === undefined ? DEFAULT_PAGE_SIZE : Number(pageSize),
        archived: ARCHIVED[archived],
        deleted: deleted === 'true',
        ...(pinned === undefined ? {} : { pinned: pinned === 'true' }),
        ...(agentType === undefined ? {} : { agentType }),
        ...(projectId === undefined ? {} : { projectId: projectId === 'none' ? null : projectId }),
      });
    },
  });

  api.get('/api/v1/chats/:chatId', 'getChat', 'Read a chat', {
    description:
      'Poll this until `status` is `idle`, `failed` or `stopped`, or let the response wait for that with `wait`.',
    requestHeaders: IF_NONE_MATCH,
    answers: { 200: { headers: ETAG }, 304: NOT_MODIFIED },
    query: FindChatQuery,
    response: { 200: ChatAnswer },
    workspace: 'found',
    handle: async ({ params, query, workspaceId, request, reply }) => {
      const { chatId } = params;
      const read = async (): Promise<SeenChat> =>
        found(await chats.findSeen(chatId, workspaceId), 'chat_not_found');
      const wait = startWaiting(request, reply, deps);
      const goalOf = (seen: SeenChat): WaitGoal =>
        query.for === 'change' ? changeGoal(request, seen) : { for: 'rest' };
      const seen = await (wait === null ? read() : wait(chatId, goalOf, read));
      if (reply.raw.destroyed) return reply.hijack();
      if (seen === null) throw new AppError('unauthorized');
      if (sendTag(request, reply, seen.tags.shown)) return sendNotModified(reply);
      return sendJson(reply, seen.json());
    },
  });

  api.post('/api/v1/chats/:chatId/stop', 'stopChat', 'Stop a chat', {
    description:
      'Stops the reply in progress and all messages waiting in the chat. If the disk can’t be written to, the response is an error and a reply in progress ends nevertheless; that is saved later.',
    response: { 200: ChatAnswer },
    workspace: 'found',
    result: ({ params, workspaceId }) => chats.stop(params.chatId, workspaceId),
  });
}
