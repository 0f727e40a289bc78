import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import zlib, { constants } from 'node:zlib';

// What was sent is read as it comes, and up to where it ends: a stream that breaks off is no damaged one.
const ZIPPED = { finishFlush: constants.Z_SYNC_FLUSH };
const UNPACKERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: () => zlib.createGunzip(ZIPPED),
  'x-gzip': () => zlib.createGunzip(ZIPPED),
  deflate: () => zlib.createInflate(ZIPPED),
  zstd: () => zlib.createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
  br: () => zlib.createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** The encoding of a body, which some servers use without being asked; `identity`: none. */
export const bodyEncodingOf = ({ headers }: IncomingMessage): string =>
  (headers['content-encoding'] ?? '').trim().toLowerCase() || 'identity';

/** Unpacks that encoding; null: it isn't known. */
export const unpackerFor = (encoding: string): (NodeJS.ReadWriteStream & Readable) | null =>
  UNPACKERS[encoding]?.() ?? null;

/** At most so much of the body of a response, {@link unpacked}, and whether there is more; that ends the response. */
export async function readBody(
  answer: IncomingMessage,
  maxBytes: number,
): Promise<{ body: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of unpacked(answer) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    total += chunk.length;
    // Leaving the loop ends the stream, and with it the connection.
    if (total > maxBytes) break;
  }
  answer.destroy();
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: total > maxBytes };
}

/**
 * The body of a response, unpacked. If its encoding isn't known it is read as it came, since some servers write `none` or `utf-8`
 * there. Destroying it ends the response.
 */
export function unpacked(answer: IncomingMessage): Readable {
  // Errors on the way come out of the last stream.
  const unpacker = unpackerFor(bodyEncodingOf(answer));
  return unpacker === null ? answer : pipeline(answer, unpacker, () => undefined);
}
