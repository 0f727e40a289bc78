/** Texts in any encoding: reading their bytes, and writing more of the same. */
import { encodingOf, withoutNulls } from '../../shared/text-encoding.ts';
import { createUtf8Check, guessEncoding } from './guess-encoding.ts';
import { createDecoder } from './text-decoder.ts';

/** A text without its byte order mark, and how it is encoded. */
export interface DecodedText {
  text: string;
  /** As `TextDecoder` names it. */
  encoding: string;
  hasMark: boolean;
}

/** What no text holds: control characters but tab, line ends, form feed and escape. */
export const CONTROL = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/**
 * The text of these bytes: UTF-8, what their mark says, or what they most likely are; null: they are no text. `isCut`:
 * they are the beginning of more, and may end within a character. Bytes that aren't UTF-8 in a text that is become
 * U+FFFD, and NULs at the end are left out: a crash leaves them in logs.
 */
export async function decodeText(bytes: Uint8Array, isCut = false): Promise<DecodedText | null> {
  const written = withoutNulls(bytes);
  const toText = (encoding: string, whole: string, never: RegExp): DecodedText | null => {
    const hasMark = whole.startsWith('\ufeff');
    const text = hasMark ? whole.slice(1) : whole;
    return never.test(text) ? null : { text, encoding, hasMark };
  };
  const read = (encoding: string, never: RegExp): DecodedText | null => {
    try {
      return toText(encoding, createDecoder(encoding).decode(written, { stream: isCut }), never);
    } catch {
      return null;
    }
  };
  const marked = encodingOf(bytes);
  const plain = read(marked, written === bytes ? /\0/ : CONTROL);
  if (plain !== null) return plain;
  const repairing = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces = [repairing.decode(written, { stream: true }), isCut ? '' : repairing.decode()];
  const check = createUtf8Check();
  for (const piece of pieces) check.add(piece);
  if (check.isUtf8()) return toText(marked, pieces.join(''), CONTROL);
  const encoding = await guessEncoding(written);
  return encoding === null ? null : read(encoding, CONTROL);
}

/** The text in that encoding; null: it has characters that the encoding lacks. */
export function encodeText(text: string, encoding: string): Buffer | null {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const bytesOf = byteTable(encoding);
  const all = Array.from(text, (sign) => bytesOf.get(sign));
  return all.every((bytes) => bytes !== undefined) ? Buffer.from(all.flat()) : null;
}

/** The bytes of each character that takes one or two: `TextDecoder` says what each pair means. */
function byteTable(encoding: string): Map<string, number[]> {
  const decoder = new TextDecoder(encoding);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const pairs = bytes.slice(0x81).flatMap((first) => bytes.slice(0x40).map((second) => [first, second]));
  const table = new Map<string, number[]>();
  // No character of several bytes holds a line end.
  const meanings = decoder.decode(Uint8Array.from(pairs.flatMap((pair) => [...pair, 0x0a]))).split('\n');
  for (const [index, sign] of meanings.entries()) {
    const pair = pairs[index];
    if (pair !== undefined && Array.from(sign).length === 1 && !table.has(sign)) table.set(sign, pair);
  }
  for (const byte of bytes) table.set(decoder.decode(Uint8Array.of(byte)), [byte]);
  table.delete('\ufffd');
  return table;
}
