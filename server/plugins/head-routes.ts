import { Readable } from 'node:stream';
import type { onSendHookHandler } from 'fastify';
import type { App } from './endpoints.ts';

/**
 * Answers HEAD without producing the body: Fastify would read a stream to its end and discard it, such as a whole export. Also removes
 * Fastify's `content-length: 0` from a 304, since there it would describe the body that the client already has.
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
