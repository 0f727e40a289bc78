/** Splits a large JSON text without parsing it: finds the parts of a list or an object. Throws when they can't be found. */
import { withoutMark } from './file-kind.ts';

/** Where a value begins, and where it has ended. */
export interface Slice {
  start: number;
  end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const MAX_NAME_BYTES = 256;

const malformed = (): Error => new Error('The JSON is malformed.');
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The one value of the whole text. */
export function wholeValue(json: Buffer): Slice {
  const value = valueAt(json, skipSpace(json, json.length - withoutMark(json).length));
  if (skipSpace(json, value.end) !== json.length) throw malformed();
  return value;
}

/** The elements of a list; they aren't checked, except that they end. */
export function* elementsOf(json: Buffer, list: Slice): Generator<Slice> {
  if (json[list.start] !== OPENING_BRACKET) throw malformed();
  let at = skipSpace(json, list.start + 1);
  while (json[at] !== CLOSING_BRACKET) {
    const value = valueAt(json, at);
    yield value;
    at = skipSeparator(json, value.end, CLOSING_BRACKET);
  }
}

/** The members of an object by name; the last one of a name counts. */
export function membersOf(json: Buffer, object: Slice): Map<string, Slice> {
  if (json[object.start] !== OPENING_BRACE) throw malformed();
  const members = new Map<string, Slice>();
  let at = skipSpace(json, object.start + 1);
  while (json[at] !== CLOSING_BRACE) {
    if (json[at] !== QUOTE) throw malformed();
    const nameEnd = stringEnd(json, at);
    const colon = skipSpace(json, nameEnd);
    if (json[colon] !== COLON) throw malformed();
    const value = valueAt(json, skipSpace(json, colon + 1));
    if (nameEnd - at <= MAX_NAME_BYTES)
      members.set(String(JSON.parse(textOf(json, { start: at, end: nameEnd }))), value);
    at = skipSeparator(json, value.end, CLOSING_BRACE);
  }
  return members;
}

/** Whether a value is a list. */
export const isList = (json: Buffer, { start }: Slice): boolean => json[start] === OPENING_BRACKET;

export const textOf = (json: Buffer, { start, end }: Slice): string => json.toString('utf8', start, end);

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (isSpace(json[at])) at += 1;
  return at;
}

function skipSeparator(json: Buffer, from: number, closing: number): number {
  const at = skipSpace(json, from);
  if (json[at] === closing) return at;
  if (json[at] !== COMMA) throw malformed();
  const next = skipSpace(json, at + 1);
  if (json[next] === closing) throw malformed();
  return next;
}

function stringEnd(json: Buffer, start: number): number {
  let end = start;
  do {
    end = json.indexOf(QUOTE, end + 1);
    if (end === -1) throw malformed();
  } while (isEscaped(json, end));
  return end + 1;
}

function isEscaped(json: Buffer, quote: number): boolean {
  let at = quote - 1;
  while (json[at] === BACKSLASH) at -= 1;
  return (quote - 1 - at) % 2 === 1;
}

function valueAt(json: Buffer, start: number): Slice {
  let depth = 0;
  let at = start;
  do {
    const byte = json[at];
    if (byte === undefined) throw malformed();
    if (byte === QUOTE) at = stringEnd(json, at);
    else {
      if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
      else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
      at += 1;
      if (depth === 0 && byte !== CLOSING_BRACE && byte !== CLOSING_BRACKET) at = scalarEnd(json, at);
    }
  } while (depth > 0);
  if (depth < 0) throw malformed();
  return { start, end: at };
}

/** The end of a number or of `true`, `false` or `null`. */
function scalarEnd(json: Buffer, from: number): number {
  let at = from;
  for (let byte = json[at]; byte !== undefined; byte = json[at]) {
    if (isSpace(byte) || byte === COMMA || byte === CLOSING_BRACE || byte === CLOSING_BRACKET) break;
    at += 1;
  }
  return at;
}
