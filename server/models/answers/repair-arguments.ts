/** How a call's arguments may be wrapped, with something left over at the end. */
const LEFT_OVER = /^(?:[\s}\]]|<[^<>]*>)+$/;

/**
 * A tool call's arguments as the JSON of an object, where it is plain what a model meant: none, a JSON in a text, or too many
 * brackets at the end. Null: it isn't plain.
 */
export function repairedArguments(text: string): string | null {
  const trimmed = text.trim();
  const value = parsed(trimmed === '' ? 'null' : trimmed);
  if (value === null) return '{}';
  if (typeof value === 'string') return repairedArguments(value);
  if (typeof value === 'object') return Array.isArray(value) ? null : trimmed;
  const end = endOfObject(trimmed);
  return end !== null && LEFT_OVER.test(trimmed.slice(end)) ? repairedArguments(trimmed.slice(0, end)) : null;
}

/** Undefined: it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where the object ends that a text begins with; null: it doesn't, or it has no end. */
function endOfObject(text: string): number | null {
  if (!text.startsWith('{')) return null;
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}]/g)) {
    if (found === '{') depth += 1;
    if (found === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return null;
}

/** Marks the object that takes arguments through a library that only passes on objects. */
const WRAP = 'parley:arguments';

/** Arguments as the object that {@link unwrapArguments} takes apart. */
export const wrapArguments = (text: string): object => ({ [WRAP]: text });

/** The text that was wrapped; any other text stays. */
export const unwrapArguments = (text: string): string =>
  text.startsWith(`{"${WRAP}":`) ? String((parsed(text) as Record<string, unknown>)[WRAP]) : text;
