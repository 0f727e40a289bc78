import { Type } from 'typebox';
import { ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceId } from '../../shared/api/common.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { AppError } from '../errors.ts';
import { findWorkspaceId } from '../plugins/workspace.ts';
import type { EventStreams } from '../events/event-streams.ts';
import { parseCursor } from '../events/sse.ts';
import type { App } from '../plugins/route.ts';
import type { ChatRouteDeps } from './chats.ts';

/** Whatever stands as a cursor is taken: one that says nothing is the same as none. */
const EventsQuery = Type.Object({
  after: Type.Optional(Type.Unknown()),
  workspaceId: Type.Optional(WorkspaceId),
});

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Something in between that gathers answers would make a stream useless.
  'x-accel-buffering': 'no',
};

/** What the route of the event stream calls. */
export interface EventRouteDeps extends ChatRouteDeps {
  streams: EventStreams;
  authenticator: Authenticator;
}

/** The event stream of a chat; what it sends stands in shared/events.ts. */
export function setupEventRoute(app: App, deps: EventRouteDeps): void {
  const { chats, hasWorkspace, streams, authenticator } = deps;
  // Before the server waits for its connections to end.
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });

  app.get(
    '/api/v1/chats/:chatId/events',
    { schema: { params: ChatParams, querystring: EventsQuery } },
    async (request, reply) => {
      const { chatId } = request.params;
      if ((await chats.find(chatId, findWorkspaceId(request, hasWorkspace))) === null) {
        throw new AppError('chat_not_found');
      }
      if (request.method === 'HEAD') return reply.headers(HEADERS).send('');
      // It went away while the chat was looked up: there is nobody to tell anything.
      if (reply.raw.destroyed) return reply.hijack();
      streams.open({
        chatId,
        cursor: parseCursor(request.headers['last-event-id'] ?? request.query.after),
        response: reply.raw,
        headers: { ...HEADERS, 'x-request-id': request.id },
        ...authenticator.watch(request.headers.authorization),
      });
      return reply.hijack();
    },
  );
}
