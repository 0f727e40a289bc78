import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceId } from '../../shared/api/common.ts';
import { CHAT_EVENTS, CHAT_LIST_EVENTS } from '../../shared/api/event.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { AppError } from '../errors.ts';
import { findWorkspaceId, requireWorkspaceId } from '../plugins/workspace.ts';
import type { EventStreams } from '../events/event-streams.ts';
import type { StreamSubject } from '../events/stream-teller.ts';
import type { App } from '../plugins/route.ts';
import type { ChatRouteDeps } from './chats.ts';

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
  const { chats, hasWorkspace, streams, authenticator } = deps;
  // Before the server waits for its connections to end.
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });

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

  app.get(
    '/api/v1/events',
    {
      schema: {
        operationId: 'streamEvents',
        summary: 'Follow the chats of a workspace',
        tags: ['Events'],
        description:
          'Begins with `relist`, or, for a client that comes back, with the `chats` that changed since; after more than 200 changes, a removal for good or a restart of the service that is `relist` again. The part of its cursor before the slash stands for the chats alone: with that, a client goes on with the list and begins another `chat`. With `once=true` the answer ends when it has told how things stand, and doesn’t count among the open streams.',
        errors: ['workspace_required'],
        answers: {
          200: {
            description: 'Events of the workspace’s chats, and all of the one that `chat` names.',
            events: { ...CHAT_LIST_EVENTS, ...CHAT_EVENTS },
          },
        },
        requestHeaders: CURSOR_HEADER,
        querystring: EventsQuery,
      },
    },
    async (request, reply) => {
      const { chat: chatId = null, once } = request.query;
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      return answer(request, reply, { workspaceId, chatId, isOnce: once === 'true' });
    },
  );

  app.get(
    '/api/v1/chats/:chatId/events',
    {
      schema: {
        operationId: 'streamChatEvents',
        summary: 'Follow a chat',
        tags: ['Events'],
        answers: { 200: { description: 'Events of the chat.', events: CHAT_EVENTS } },
        requestHeaders: CURSOR_HEADER,
        params: ChatParams,
        querystring: ChatEventsQuery,
      },
    },
    async (request, reply) => {
      const { chatId } = request.params;
      if ((await chats.find(chatId, findWorkspaceId(request, hasWorkspace))) === null) {
        throw new AppError('chat_not_found');
      }
      return answer(request, reply, { workspaceId: null, chatId, isOnce: false });
    },
  );
}
