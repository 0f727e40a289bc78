import { Readable } from 'node:stream';
import type { onSendHookHandler } from 'fastify';
import type { App } from './route.ts';

/**
 * Has a HEAD end without making what its GET would send: Fastify reads a stream to its end to throw it away, which is a
 * whole export.
 */
export function setupHeadRoutes(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [dropStream, route.onSend ?? []].flat();
  });
}

const dropStream: onSendHookHandler = (_request, _reply, payload, done) => {
  if (!(payload instanceof Readable)) {
    done(null, payload);
    return;
  }
  payload.on('error', () => undefined);
  payload.destroy();
  done(null, Readable.from([]));
};
