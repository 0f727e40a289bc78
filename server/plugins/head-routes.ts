import { Readable } from 'node:stream';
import type { onSendHookHandler } from 'fastify';
import type { App } from './route.ts';

/**
 * Has a HEAD end without making what its GET would send: Fastify reads a stream to its end to throw it away, which is a
 * whole export. A 304 says nothing of its length, where Fastify says 0: it would be that of what the client has.
 */
export function setupHeadRoutes(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [dropStream, route.onSend ?? [], dropLength].flat();
  });
}

const dropLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done(null, payload);
};

const dropStream: onSendHookHandler = (_request, _reply, payload, done) => {
  if (!(payload instanceof Readable)) {
    done(null, payload);
    return;
  }
  payload.on('error', () => undefined);
  payload.destroy();
  done(null, Readable.from([]));
};
