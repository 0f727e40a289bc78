/** Reads the elements of a JSON list too large for memory, one after the other. */
import { withoutMark } from './file-kind.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const malformed = (): Error => new Error('The JSON is malformed.');

/**
 * The text of each element; null for one of more than `maxBytes`. Elements aren't checked, except for where they end.
 * Throws when the list has no start or end, or something follows it.
 */
export async function* jsonElements(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer | null> {
  let state = 'before' as 'before' | 'element' | 'between' | 'after';
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isEmptyList = true;
  let isFirst = true;
  let element: Buffer[] = [];
  let bytes = 0;

  function keep(piece: Buffer): void {
    bytes += piece.length;
    if (bytes > maxBytes) element = [];
    else element.push(piece);
  }
  function finish(): Buffer | null {
    const whole = bytes > maxBytes ? null : Buffer.concat(element);
    element = [];
    bytes = 0;
    return whole;
  }

  for await (const given of pieces) {
    const piece = isFirst ? withoutMark(given) : given;
    isFirst = false;
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (state === 'element') {
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInString = false;
        } else if (byte === QUOTE) isInString = true;
        else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
        else if (depth > 0 && (byte === CLOSING_BRACE || byte === CLOSING_BRACKET)) depth -= 1;
        else if (depth === 0 && (byte === COMMA || byte === CLOSING_BRACKET)) {
          keep(piece.subarray(start, at));
          yield finish();
          state = byte === COMMA ? 'between' : 'after';
        }
      } else if (!isSpace(byte)) {
        if (state === 'before' && byte === OPENING_BRACKET) state = 'between';
        else if (state !== 'between') throw malformed();
        else if (byte === CLOSING_BRACKET) {
          // Fine in an empty list; after a comma, an element is missing.
          if (!isEmptyList) throw malformed();
          state = 'after';
        } else {
          if (byte === COMMA) throw malformed();
          isEmptyList = false;
          state = 'element';
          start = at;
          at -= 1;
        }
      }
    }
    if (state === 'element') keep(piece.subarray(start));
  }
  if (state !== 'after') throw malformed();
}
