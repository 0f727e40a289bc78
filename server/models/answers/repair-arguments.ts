import { parseJson } from '../../lib/parse-json.ts';

/** How a call's arguments may be wrapped, with something left over at the end. */
const LEFT_OVER = /^(?:[\s}\]]|<[^<>]*>)+$/;

/** A block of code, with an object. */
const FENCE = /^```(?:json)?\s*(\{[\s\S]*\})\s*```$/;

/**
 * A tool call's arguments as the JSON of an object, where it is plain what a model meant: none, a JSON in a text or a block of
 * code or in Python, too many brackets at the end, a comma too many, or line breaks in texts. Null: it isn't plain.
 */
export function repairedArguments(text: string): string | null {
  const trimmed = text.trim();
  const value = parseJson(trimmed === '' ? 'null' : trimmed);
  if (value === null) return '{}';
  if (typeof value === 'string') return repairedArguments(value);
  if (typeof value === 'object') return Array.isArray(value) ? null : trimmed;
  const [, fenced] = FENCE.exec(trimmed) ?? [];
  if (fenced !== undefined) return repairedArguments(fenced);
  const end = endOfObject(trimmed);
  if (end === null) return null;
  const [object, rest] = [trimmed.slice(0, end), trimmed.slice(end).trim()];
  if (rest === '') return withoutSlips(object) ?? withoutSlips(fromPython(object));
  // Some servers send an empty object before the arguments.
  if (object === '{}' && rest.startsWith('{')) return repairedArguments(rest);
  return LEFT_OVER.test(rest) ? repairedArguments(object) : null;
}

/** An object without line breaks inside texts and commas before its end; null: that isn't all that is wrong. */
function withoutSlips(text: string): string | null {
  const clean = text.replace(/("[^"\\]*(?:\\[\s\S][^"\\]*)*")|,(?=\s*[}\]])/g, (_, string?: string) =>
    (string ?? '').replace(/[\n\r\t]/g, (control) => JSON.stringify(control).slice(1, -1)),
  );
  return parseJson(clean) === undefined ? null : clean;
}

const PYTHON_PARTS =
  /(?<mark><\|"\|>|<escape>)(?<marked>[\s\S]*?)\k<mark>|"(?:[^"\\]|\\[\s\S])*"|'(?<single>(?:[^'\\]|\\[\s\S])*)'|\b(?<word>True|False|None)\b|call:[\w.-]+|\b(?<called>[A-Za-z_][\w.-]{0,99})\(|(?<end>\))|\b(?<key>[A-Za-z_]\w{0,99})\s{0,9}[=:]/g;
const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** `[name(key='a')]` as `[{"name":"name","arguments":{"key":"a"}}]`. What isn't a call is no JSON then. */
export const fromPython = (text: string): string =>
  text.replace(/^\s*print\(([\s\S]*)\)\s*$/, '$1').replace(PYTHON_PARTS, (part, ...found) => {
    const { marked, single, word, called, end, key } = found.at(-1) as Record<string, string | undefined>;
    if (marked !== undefined) return JSON.stringify(marked);
    if (single !== undefined) return `"${single.replaceAll("\\'", "'").replace(/\\?"/g, '\\"')}"`;
    if (word !== undefined) return PYTHON_WORDS[word] ?? word;
    if (called !== undefined) return `{"name":"${called.replace(/\.call$/, '')}","arguments":{`;
    if (key !== undefined) return `"${key}":`;
    return end === undefined ? part : '}}';
  });

/** Where the object ends that a text begins with; null: it doesn't, or it has no end. */
export function endOfObject(text: string): number | null {
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
  text.startsWith(`{"${WRAP}":`) ? String((parseJson(text) as Record<string, unknown>)[WRAP]) : text;
