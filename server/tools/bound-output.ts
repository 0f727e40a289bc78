import { isObject } from '../lib/fields.ts';

/**
 * The most JSON a step's output may hold, in characters. It lets a tool's result for the longest message pass uncut
 * (100,000 characters, every one of them a surrogate pair) and bounds what a chat stores and a model is sent.
 */
export const MAX_OUTPUT_CHARACTERS = 256 * 1024;

/** Longest strings and lists kept, from mild to harsh; the first that fits is used. */
const CUTS = [
  { text: 65_536, items: 4_096 },
  { text: 16_384, items: 512 },
  { text: 4_096, items: 128 },
  { text: 1_024, items: 32 },
  { text: 128, items: 8 },
] as const;

/**
 * A tool's output as plain JSON data of at most `limit` characters. One that fits comes back as it is. A larger one
 * keeps its shape, so that those who read it by field still can: long strings and lists are cut short, and a note in
 * the field `truncated` says so. If that is still too large, it becomes `{ truncated, preview }`.
 * Throws when the value has no JSON form (a cycle, a bigint).
 */
export function boundOutput(output: unknown, limit = MAX_OUTPUT_CHARACTERS): unknown {
  // stringify gives undefined for undefined, functions and symbols, whatever its type says.
  const json = (JSON.stringify(output) as string | undefined) ?? 'null';
  // Parsing what was written drops what would not survive a thread or the store: methods, undefined, Date.
  const plain: unknown = JSON.parse(json);
  if (json.length <= limit) return plain;
  const truncated = `Cut short: the whole output is ${json.length.toLocaleString('en')} characters of JSON.`;
  if (isObject(plain)) {
    for (const cut of CUTS) {
      const shorter = JSON.stringify({ ...plain, truncated }, (_name, value: unknown) => shorten(value, cut));
      if (shorter.length <= limit) return JSON.parse(shorter);
    }
  }
  // Escaping at most doubles ordinary JSON text.
  return { truncated, preview: json.slice(0, Math.floor(limit / 2) - truncated.length) };
}

function shorten(value: unknown, cut: { text: number; items: number }): unknown {
  if (typeof value === 'string' && value.length > cut.text) return `${value.slice(0, cut.text)}… (cut short)`;
  return Array.isArray(value) ? value.slice(0, cut.items) : value;
}
