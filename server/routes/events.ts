import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceId } from '../../shared/api/common.ts';
import { CHAT_EVENTS, CHAT_LIST_EVENTS } from '../../shared/api/event.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { found } from '../errors.ts';
import type { EventStreams } from '../events/event-streams.ts';
import type { StreamSubject } from '../events/stream-teller.ts';
import type { App } from '../plugins/route.ts';
import type { ChatRouteDeps } from './chats.ts';
import { createEndpoints } from '../plugins/endpoints.ts';

const ChatEventsQuery = Type.Object({
  after: Type.Optional(
    Type.Unknown({
      description:
        'The last cursor that came, as in `Last-Event-ID`. One that says nothing is the same as none.',
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});

const EventsQuery = Type.Object({
  ...ChatEventsQuery.properties,
  chat: Type.Optional(Type.String({ description: 'Id of the chat to tell in full.' })),
  once: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: '`true`: the answer ends once it has told how things stand.',
      expected: '"true" or "false"',
    }),
  ),
});

const CURSOR_HEADER = {
  'Last-Event-ID': 'The last cursor (`id`) that came; what was missed since is told first.',
};

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Something in between that gathers answers would make a stream useless.
  'x-accel-buffering': 'no',
};

/** What the routes of event streams call. */
export interface EventRouteDeps extends ChatRouteDeps {
  streams: EventStreams;
  authenticator: Authenticator;
}

/** The event streams of a workspace and of a chat; what they send stands in shared/api/event.ts. */
export function setupEventRoutes(app: App, deps: EventRouteDeps): void {
  const api = createEndpoints(app, 'Events');
  const { chats, streams, authenticator } = deps;

  function answer(
    request: FastifyRequest<{ Querystring: Static<typeof ChatEventsQuery> }>,
    reply: FastifyReply,
    subject: Omit<StreamSubject, 'cursor'> & { isOnce: boolean },
  ): FastifyReply {
    if (request.method === 'HEAD') return reply.headers(HEADERS).send('');
    // It went away while the chat was looked up: there is nobody to tell anything.
    if (reply.raw.destroyed) return reply.hijack();
    streams.open({
      ...subject,
      cursor: request.headers['last-event-id'] ?? request.query.after,
      response: reply.raw,
      headers: { ...HEADERS, 'x-request-id': request.id },
      ...authenticator.watch(request.headers.authorization),
    });
    return reply.hijack();
  }

  api.get('/api/v1/events', {
    operationId: 'streamEvents',
    summary: 'Follow the chats of a workspace',
    description:
      'Begins with `relist`, or, for a client that comes back, with the `chats` that changed since; after more than 200 changes, a removal for good or a restart of the service that is `relist` again. The part of its cursor before the slash stands for the chats alone: with that, a client goes on with the list and begins another `chat`. With `once=true` the answer ends when it has told how things stand, and doesn’t count among the open streams.',
    answers: {
      200: {
        description: 'Events of the workspace’s chats, and all of the one that `chat` names.',
        events: { ...CHAT_LIST_EVENTS, ...CHAT_EVENTS },
      },
    },
    requestHeaders: CURSOR_HEADER,
    query: EventsQuery,
    workspace: 'required',
    handle: async ({ query, workspaceId, request, reply }) => {
      const { chat: chatId = null, once } = query;
      return answer(request, reply, { workspaceId, chatId, isOnce: once === 'true' });
    },
  });

  api.get('/api/v1/chats/:chatId/events', {
    operationId: 'streamChatEvents',
    summary: 'Follow a chat',
    answers: { 200: { description: 'Events of the chat.', events: CHAT_EVENTS } },
    requestHeaders: CURSOR_HEADER,
    params: ChatParams,
    query: ChatEventsQuery,
    workspace: 'found',
    handle: async ({ params, workspaceId, request, reply }) => {
      const { chatId } = params;
      found(await chats.find(chatId, workspaceId), 'chat_not_found');
      return answer(request, reply, { workspaceId: null, chatId, isOnce: false });
    },
  });
}
