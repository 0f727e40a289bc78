import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { choice, text, WorkspaceId } from '../../shared/api/common.ts';
import { CHAT_EVENTS, CHAT_LIST_EVENTS } from '../../shared/api/event.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { found } from '../errors.ts';
import type { EventStreams } from '../events/event-streams.ts';
import type { StreamSubject } from '../events/stream-diff.ts';
import type { ChatRouteDeps } from './chats.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import { STREAM_HEADERS } from './transfer.ts';

const ChatEventsQuery = Type.Object({
  after: Type.Optional(
    Type.Unknown({
      description: 'The last cursor received, as in `Last-Event-ID`. An invalid one counts as none.',
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});

const EventsQuery = Type.Object({
  ...ChatEventsQuery.properties,
  chat: Type.Optional(text('Id of the chat to follow in full.')),
  once: Type.Optional(choice(['true', 'false'], '`true`: the response ends after the current state.')),
});

const CURSOR_HEADER = {
  'Last-Event-ID': 'The last cursor (`id`) received. The stream starts with what changed since.',
};

/** Dependencies of these routes. */
export interface EventRouteDeps extends ChatRouteDeps {
  streams: EventStreams;
  authenticator: Authenticator;
}

/** The event streams of a workspace and of a chat; shared/api/event.ts describes their events. */
export function setupEventRoutes(app: App, deps: EventRouteDeps): void {
  const api = createEndpoints(app, 'Events');
  const { chats, streams, authenticator } = deps;

  function answer(
    request: FastifyRequest<{ Querystring: Static<typeof ChatEventsQuery> }>,
    reply: FastifyReply,
    subject: Omit<StreamSubject, 'cursor'> & { isOnce: boolean },
  ): FastifyReply {
    if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send('');
    // The client disconnected while the chat was looked up.
    if (reply.raw.destroyed) return reply.hijack();
    streams.open({
      ...subject,
      cursor: request.headers['last-event-id'] ?? request.query.after,
      response: reply.raw,
      headers: { ...STREAM_HEADERS, 'x-request-id': request.id },
      ...authenticator.watch(request.headers.authorization),
    });
    return reply.hijack();
  }

  api.get('/api/v1/events', 'streamEvents', 'Follow the chats of a workspace', {
    description:
      'Starts with `relist`. A client that sends a cursor gets the `chats` that changed since, or `relist` again after more than 200 changes, a permanent deletion or a restart of the service. The part of the cursor before the slash covers only the list of chats: send that part to continue the list with another `chat`. `lists` names other lists that changed. With `once=true` the response ends after the current state, and doesn’t count as an open stream.',
    answers: {
      200: {
        description: 'Events of the workspace’s chats, and all events of the chat named in `chat`.',
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

  api.get('/api/v1/chats/:chatId/events', 'streamChatEvents', 'Follow a chat', {
    answers: { 200: { description: 'Events of the chat.', events: CHAT_EVENTS } },
    requestHeaders: CURSOR_HEADER,
    query: ChatEventsQuery,
    workspace: 'found',
    handle: async ({ params, workspaceId, request, reply }) => {
      const { chatId } = params;
      found(await chats.find(chatId, workspaceId), 'chat_not_found');
      return answer(request, reply, { workspaceId: null, chatId, isOnce: false });
    },
  });
}
