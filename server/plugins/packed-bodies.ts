import { pipeline } from 'node:stream';
import type { preParsingHookHandler } from 'fastify';
import { AppError } from '../errors.ts';
import { bodyEncodingOf, unpackerFor } from '../net/unpacked.ts';
import type { App } from './endpoints.ts';

/**
 * Unpacks compressed bodies of JSON. Limits apply to what comes out, as it comes, so a small body can't take much memory. Applies to
 * routes added after this call.
 */
export function setupPackedBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.schema?.body !== undefined) route.preParsing = [route.preParsing ?? [], unpack].flat();
  });
}

const unpack: preParsingHookHandler = ({ raw }, _reply, payload, done) => {
  const encoding = bodyEncodingOf(raw);
  if (encoding === 'identity') {
    done(null, payload);
    return;
  }
  const unpacker = unpackerFor(encoding);
  if (unpacker === null) {
    done(
      new AppError(
        'unsupported_media_type',
        `Parley can’t read “${encoding}”; send the body unpacked, or as gzip.`,
      ),
    );
    return;
  }
  // What Fastify compares with Content-Length.
  const unpacked = Object.assign(unpacker, { receivedEncodedLength: 0 });
  payload.on('data', (piece: Buffer) => (unpacked.receivedEncodedLength += piece.length));
  // Errors on the way come out of the last stream.
  pipeline(payload, unpacked, () => undefined);
  done(null, unpacked);
};
