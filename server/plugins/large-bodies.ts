/**
 * Bodies with files are read into memory and stay there until the request is answered. This limits their total size: further ones wait
 * unread, so they can't use up all memory.
 */
import type { preParsingHookHandler } from 'fastify';
import { MAX_BODY_BYTES, MAX_SEND_BYTES } from '../../shared/limits.ts';
import { bodyEncodingOf } from '../net/unpacked.ts';
import type { App } from './endpoints.ts';

/** Four of the largest. A body takes some five times its length while it is read, parsed and decoded. */
const MOST_BYTES = 4 * MAX_SEND_BYTES;

/** Makes requests with bodies over {@link MAX_BODY_BYTES} wait their turn. Applies to routes added after this call. */
export function setupLargeBodies(app: App): void {
  let taken = 0;
  const waiting: { bytes: number; begin: () => void }[] = [];

  const beginNext = (): void => {
    for (let [first] = waiting; first !== undefined && taken + first.bytes <= MOST_BYTES; [first] = waiting) {
      waiting.shift();
      taken += first.bytes;
      first.begin();
    }
  };

  const waitForRoom: preParsingHookHandler = ({ raw }, reply, payload, done) => {
    const isPacked = bodyEncodingOf(raw) !== 'identity';
    const bytes = isPacked ? MAX_SEND_BYTES : Number(raw.headers['content-length'] ?? MAX_SEND_BYTES);
    // Fastify refuses larger ones unread.
    if (bytes <= MAX_BODY_BYTES || bytes > MAX_SEND_BYTES) {
      done(null, payload);
      return;
    }
    let isUnderWay = false;
    const entry = {
      bytes,
      begin: () => {
        isUnderWay = true;
        done(null, payload);
      },
    };
    reply.raw.once('close', () => {
      if (isUnderWay) taken -= bytes;
      else waiting.splice(waiting.indexOf(entry), 1);
      beginNext();
    });
    waiting.push(entry);
    beginNext();
  };

  app.addHook('onRoute', (route) => {
    if ((route.bodyLimit ?? 0) > MAX_BODY_BYTES)
      route.preParsing = [waitForRoom, route.preParsing ?? []].flat();
  });
}
