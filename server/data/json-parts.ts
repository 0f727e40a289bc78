/** Takes a JSON text apart that is too large for memory. */
import { withoutMark } from './file-kind.ts';

/** A part of the text; null: it is too large. */
export interface JsonPart {
  /** The list whose element it is: `chats`, or empty if the text itself is a list. Null: it is a member of the object, name included. */
  list: 'chats' | '' | null;
  text: Buffer | null;
}

/** The whole text, its list or object, or a list in that object. */
interface Scope {
  list: JsonPart['list'];
  closing: number | null;
  isEmpty: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CHATS = /^"chats"\s*:\s*$/;
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const malformed = (): Error => new Error('The JSON is malformed.');

/**
 * The elements of the text's list, or the members of its object; a list `chats` comes element by element, and then as an
 * empty member. Any other text has no parts. Throws if it is no JSON or not whole; parts are only checked for where they end.
 */
export async function* jsonParts(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<JsonPart> {
  const around: Scope[] = [];
  let scope: Scope = { list: null, closing: null, isEmpty: true };
  let isInPart = false;
  let isInString = false;
  let isEscaped = false;
  let depth = 0;
  let part: Buffer[] = [];
  let bytes = 0;
  let isFirst = true;

  function keep(piece: Buffer): void {
    bytes += piece.length;
    if (bytes > maxBytes) part = [];
    else part.push(piece);
  }
  function take(): Buffer | null {
    const text = bytes > maxBytes ? null : Buffer.concat(part);
    part = [];
    bytes = 0;
    return text;
  }
  /** What is taken apart from this bracket on, which comes after what was kept; null: nothing. */
  function opens(byte: number): Scope | null {
    const isList = byte === OPENING_BRACKET;
    const closing = isList ? CLOSING_BRACKET : CLOSING_BRACE;
    if (scope.closing === null && scope.isEmpty && bytes === 0)
      return { list: isList ? '' : null, closing, isEmpty: true };
    const isWanted = isList && scope.closing === CLOSING_BRACE && CHATS.test(Buffer.concat(part).toString());
    return isWanted ? { list: 'chats', closing, isEmpty: true } : null;
  }

  for await (const given of pieces) {
    const piece = isFirst ? withoutMark(given) : given;
    isFirst = false;
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        continue;
      }
      if (!isInPart) {
        if (isSpace(byte)) continue;
        if (byte === COMMA || (byte === scope.closing && !scope.isEmpty)) throw malformed();
        isInPart = byte !== scope.closing;
        start = at;
      }
      if (byte === QUOTE) isInString = true;
      else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (depth === 0) {
          keep(piece.subarray(start, at));
          start = at;
          const inner = opens(byte);
          if (inner !== null) {
            take();
            around.push(scope);
            scope = inner;
            isInPart = false;
            continue;
          }
        }
        depth += 1;
      } else if (depth > 0) {
        if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
      } else if (byte === COMMA || byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        if (scope.closing === null || (byte !== COMMA && byte !== scope.closing)) throw malformed();
        if (isInPart) {
          keep(piece.subarray(start, at));
          yield { list: scope.list, text: take() };
        }
        isInPart = byte !== COMMA;
        start = at + 1;
        if (isInPart && scope.list === 'chats') keep(Buffer.from('"chats":[]'));
        // What it closes in goes on.
        if (isInPart) scope = around.pop() ?? scope;
        scope.isEmpty = false;
      }
    }
    if (isInPart) keep(piece.subarray(start));
  }
  const rest = take()?.toString().trim();
  if (around.length > 0 || isInString || depth > 0 || rest === undefined) throw malformed();
  if (scope.isEmpty) JSON.parse(rest);
  else if (rest !== '') throw malformed();
}
