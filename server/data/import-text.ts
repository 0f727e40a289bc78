/** What the text of an import is: its encoding, and which other format than JSON. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { encodingOf } from '../../shared/text-encoding.ts';
import { AppError } from '../errors.ts';
import { guessEncoding, SAMPLE_BYTES } from '../lib/guess-encoding.ts';
import { createDecoder } from '../lib/text-decoder.ts';

/** The encoding that the beginning shows: JSON begins with ASCII. Null: UTF-8, or one that uses a byte for ASCII. */
export function markedEncoding(beginning: Buffer): string | null {
  const start = beginning.subarray(0, 2);
  const marked = encodingOf(start);
  if (marked !== 'utf-8') return marked;
  return start.includes(0) ? (start[0] === 0 ? 'utf-16be' : 'utf-16le') : null;
}

/** The file as UTF-8, from that encoding; null: it is UTF-8. */
export async function* utf8Pieces(path: string, encoding: string | null): AsyncGenerator<Buffer> {
  const pieces: AsyncIterable<Buffer> = createReadStream(path);
  if (encoding === null) {
    yield* pieces;
    return;
  }
  const decoder = createDecoder(encoding);
  for await (const piece of pieces) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}

const BEFORE_BYTES = 1_024;

/** The encoding of a text that isn't UTF-8; null: it can't be told, or is UTF-8 that was damaged. */
export async function otherEncoding(text: Buffer): Promise<string | null> {
  const from = Math.max(0, text.findIndex((byte) => byte > 0x7f) - BEFORE_BYTES);
  const sample = text.subarray(from, from + SAMPLE_BYTES);
  const signs = new TextDecoder().decode(sample).match(/\P{ASCII}/gu) ?? [];
  const broken = signs.filter((sign) => sign === '\ufffd').length;
  if (broken < signs.length - broken) return null;
  const encoding = await guessEncoding(sample);
  return encoding === 'utf-8' ? null : encoding;
}

const WHICH_FILE =
  'Import the ZIP archive as you got it, or the conversations.json in it, or the JSON file of an export.';
/** How much of a file is looked at for its first lines. */
const MAX_LINES_BYTES = 16 * 1024 ** 2;

/** An error that says which format a file has that isn't JSON; null: it can't be told. */
export async function otherFormat(path: string): Promise<AppError | null> {
  const lines: string[] = [];
  const stream = createReadStream(path, { end: MAX_LINES_BYTES });
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      const plain = line.replace(/^\ufeff/, '').trim();
      if (plain !== '') lines.push(plain);
      if (lines.length === 2) break;
    }
  } finally {
    stream.destroy();
  }
  const [first = '', second = ''] = lines;
  const unsupported = (words: string): AppError =>
    new AppError('unsupported_import', `${words} ${WHICH_FILE}`);
  if (first.startsWith('<')) return unsupported('This is a web page, such as the chat.html of an export.');
  if (first.startsWith('{') && first.endsWith('}') && second.startsWith('{'))
    return unsupported('This file has one JSON text per line (JSON Lines).');
  if (/^[^[{]/.test(first)) return new AppError('invalid_json', `The file is no JSON. ${WHICH_FILE}`);
  return null;
}
