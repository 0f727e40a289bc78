/** Reads texts in any encoding. */
import { encodingOf, withoutNulls } from '../../shared/text-encoding.ts';
import { attempt } from '../../shared/attempt.ts';

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
  const { createDecoder } = await import('./text-decoder.ts');
  const written = withoutNulls(bytes);
  const toText = (encoding: string, whole: string, never: RegExp): DecodedText | null => {
    const hasMark = whole.startsWith('\ufeff');
    const text = hasMark ? whole.slice(1) : whole;
    return never.test(text) ? null : { text, encoding, hasMark };
  };
  const read = (encoding: string, never: RegExp): DecodedText | null =>
    attempt(() => toText(encoding, createDecoder(encoding).decode(written, { stream: isCut }), never));
  const marked = encodingOf(bytes);
  const plain = read(marked, written === bytes ? /\0/ : CONTROL);
  if (plain !== null) return plain;
  const repairing = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces = [repairing.decode(written, { stream: true }), isCut ? '' : repairing.decode()];
  const { createUtf8Check, guessEncoding } = await import('./guess-encoding.ts');
  const check = createUtf8Check();
  for (const piece of pieces) check.add(piece);
  if (check.isUtf8()) return toText(marked, pieces.join(''), CONTROL);
  const encoding = await guessEncoding(written);
  return encoding === null ? null : read(encoding, CONTROL);
}
