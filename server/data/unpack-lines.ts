/** The lines of a compressed file, as many as can be read. */
import { on } from 'node:events';
import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { constants, createGunzip } from 'node:zlib';

/** Longer than any line there is. */
const MAX_LINE_CHARACTERS = 64 * 1024 ** 2;
/** Damage loses the output of the piece that contains it. */
const PACKED_PIECE_BYTES = 1024;
const UNPACKED_PIECE_BYTES = 64 * 1024;

/** Some lines, without their ends; null for a line that is too long. */
export type Lines = (string | null)[];

/** Reads to the end or to the first damage; then throws zlib's error. */
export async function* unpackLines(path: string): AsyncGenerator<Lines> {
  const lines = createLines();
  for await (const piece of unpack(path)) {
    const found = lines.take(piece);
    if (found.length > 0) yield found;
  }
  const last = lines.end();
  if (last !== '') yield [last];
}

/** Everything before the first damage; iterating over the stream itself would lose part of it. */
async function* unpack(path: string): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: PACKED_PIECE_BYTES });
  // A file that was cut off is read as far as it goes; its lines show that the end is missing.
  const unpacked = createGunzip({ chunkSize: UNPACKED_PIECE_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  source.on('error', (error) => unpacked.destroy(error));
  try {
    const pieces = on(source.pipe(unpacked), 'data', { close: ['end'], highWaterMark: 8, lowWaterMark: 2 });
    for await (const [piece] of pieces as AsyncIterable<[Buffer]>) yield piece;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

function createLines(): { take(piece: Buffer): Lines; end(): string } {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isTooLong = false;
  return {
    take(piece) {
      const text = decoder.write(piece);
      const first = text.indexOf('\n');
      if (first === -1) {
        isTooLong ||= rest.length + text.length > MAX_LINE_CHARACTERS;
        rest = isTooLong ? '' : rest + text;
        return [];
      }
      const lines: Lines = `${rest}${text}`.split('\n');
      if (isTooLong) lines[0] = null;
      isTooLong = false;
      rest = lines.pop() ?? '';
      return lines;
    },
    end: () => (isTooLong ? '' : rest + decoder.end()),
  };
}
