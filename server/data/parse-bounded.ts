/**
 * A thread's memory limit can't stop JSON.parse in time, so the memory needed is estimated first, from the amount of
 * structure in the text.
 */
import { parseJson } from '../lib/parse-json.ts';

/** The least memory that a list or an object takes besides its text, in bytes. */
const BYTES_OF_NESTED = 64;
/** The least that each further element or field takes. */
const BYTES_OF_NEXT = 16;
/** More than any message, or chat of another app, takes. */
const MAX_PARSED_BYTES = 128 * 1024 ** 2;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const COMMA = 0x2c;

/** About how much memory a text takes once it is parsed, in bytes. */
export function parsedBytes(text: string): number {
  let bytes = text.length * 2;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPENING_BRACE || code === OPENING_BRACKET) bytes += BYTES_OF_NESTED;
    else if (code === COMMA) bytes += BYTES_OF_NEXT;
  }
  return bytes;
}

/** The value; undefined when it isn't JSON, or too large. */
export const parseBounded = (text: string, maxBytes = MAX_PARSED_BYTES): unknown =>
  parsedBytes(text) > maxBytes ? undefined : parseJson(text);
