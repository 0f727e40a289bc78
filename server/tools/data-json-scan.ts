/**
 * Walks JSON text token by token. It stands beside `JSON.parse` for what that can't do: say in words what is wrong and
 * where, and lay text out anew without touching what is written (long numbers, repeated keys, the order of keys).
 */

/** A text that is JSON, as its tokens in order, or why and where (UTF-16 offset) it is not. */
export type JsonScan =
  { ok: true; tokens: string[]; depth: number } | { ok: false; problem: string; offset: number };

type Expected = 'value' | 'item-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/** An object or list that has begun. */
interface Opened {
  kind: 'object' | 'list';
  offset: number;
}

const SPACE = /[ \t\n\r]*/y;
/** A text up to where it ends, or where something stands that no text may hold. */
const TEXT = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001f]*)*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_.])/uy;
const WORD_OR_SIGN = /(?:true|false|null)(?![\p{L}\p{N}_$])|[{}[\],:]/uy;

/** Scans `text`; never throws. Time and memory are linear in its length, however deeply it is nested. */
export function scanJson(text: string): JsonScan {
  const tokens: string[] = [];
  const open: Opened[] = [];
  let depth = 0;
  let expected: Expected = 'value';
  let at = matchAt(SPACE, text, 0).length;
  while (at < text.length) {
    const inside = open.at(-1);
    const token = tokenAt(text, at);
    const next: Expected | 'end' | null = token === '' ? null : nextAfter(token, expected, inside);
    if (next === null) return { ok: false, ...mistakeAt(text, at, expected, inside) };
    if (next === 'end') open.pop();
    else if (token === '{' || token === '[')
      open.push({ kind: token === '{' ? 'object' : 'list', offset: at });
    depth = Math.max(depth, open.length);
    expected = next !== 'end' ? next : open.length === 0 ? 'nothing' : 'comma-or-end';
    tokens.push(token);
    at += token.length + matchAt(SPACE, text, at + token.length).length;
  }
  return expected === 'nothing'
    ? { ok: true, tokens, depth }
    : { ok: false, problem: endsTooEarly(text, open.at(-1)), offset: text.length };
}

/** The token that begins there; empty: none does. */
function tokenAt(text: string, at: number): string {
  const start = matchAt(TEXT, text, at);
  if (start !== '') return text.charAt(at + start.length) === '"' ? `${start}"` : '';
  return matchAt(NUMBER, text, at) || matchAt(WORD_OR_SIGN, text, at);
}

/** What may follow a token; null: it has no place here. `end`: it ends what it stands in. */
function nextAfter(token: string, expected: Expected, inside: Opened | undefined): Expected | 'end' | null {
  const isEnd = inside !== undefined && token === endOf(inside);
  switch (expected) {
    case 'nothing':
      return null;
    case 'colon':
      return token === ':' ? 'value' : null;
    case 'comma-or-end':
      if (token === ',') return inside?.kind === 'object' ? 'key' : 'value';
      return isEnd ? 'end' : null;
    case 'key':
    case 'key-or-end':
      if (token.startsWith('"')) return 'colon';
      return isEnd && expected === 'key-or-end' ? 'end' : null;
    case 'value':
    case 'item-or-end':
      if (token === '{') return 'key-or-end';
      if (token === '[') return 'item-or-end';
      if (isEnd && expected === 'item-or-end') return 'end';
      if (/^[\]},:]/.test(token)) return null;
      return inside === undefined ? 'nothing' : 'comma-or-end';
  }
}

const endOf = ({ kind }: Opened): string => (kind === 'object' ? '}' : ']');

function endsTooEarly(text: string, inside: Opened | undefined): string {
  if (inside === undefined) return 'There is nothing here; JSON needs a value.';
  const { line } = positionIn(text, inside.offset);
  return `The text ends before the ${inside.kind} that begins in line ${line} is closed with "${endOf(inside)}".`;
}

/** Mistakes that show themselves by how they begin, wherever they stand. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^['`]/, 'Text needs double quotes in JSON, not single ones.'],
  [/^[“”„‘’«»]/, 'Text needs straight double quotes in JSON, not curly ones.'],
  [/^,/, 'There is a comma too many, or a value is missing before it.'],
  [/^-?0\d/, 'A number must not begin with a zero.'],
  [/^-?\d+\.(?!\d)/, 'A decimal point needs digits after it.'],
  [/^-?\d/, 'A number runs into other text; text needs double quotes.'],
  [/^[+.]/, 'A number begins with a digit or a minus sign, with a digit before the point.'],
  [/^-/, 'A minus sign needs digits after it.'],
];

const WORDS_FOR_VALUES: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  none: 'null',
  null: 'null',
  nil: 'null',
  undefined: 'null',
  nan: 'null',
  infinity: 'null',
};

function mistakeAt(
  text: string,
  at: number,
  expected: Expected,
  inside: Opened | undefined,
): { problem: string; offset: number } {
  const rest = text.slice(at, at + 100);
  if (expected === 'nothing' || expected === 'colon' || expected === 'comma-or-end' || !rest.startsWith('"'))
    return { problem: problemWith(rest, expected, inside), offset: at };
  // A text that isn't one: it goes wrong where the pattern ends.
  const offset = at + matchAt(TEXT, text, at).length;
  const sign = text.charAt(offset);
  if (sign === '\\')
    return { problem: `JSON does not know the escape ${text.slice(offset, offset + 2)}.`, offset };
  if (sign === '')
    return { problem: 'The text that begins here is not closed with a double quote.', offset: at };
  return /[\n\r]/.test(sign)
    ? {
        problem: 'The text that begins here is not closed on its line; a line break inside is written \\n.',
        offset: at,
      }
    : {
        problem: 'A tab or control character inside a text must be written as an escape, such as \\t.',
        offset,
      };
}

function problemWith(rest: string, expected: Expected, inside: Opened | undefined): string {
  if (expected === 'nothing') return 'There is more text after the end of the JSON.';
  if (expected === 'colon') return 'A colon is missing after the key.';
  if (/^(?:\/[/*]|#)/.test(rest)) return 'JSON has no comments.';
  const [end] = /^[\]}]/.exec(rest) ?? [];
  if (expected === 'comma-or-end') {
    const due = inside === undefined ? '' : ` This ${inside.kind} is closed with "${endOf(inside)}".`;
    if (end !== undefined) return `"${end}" is in the wrong place.${due}`;
    if (rest.startsWith(':')) return 'A colon belongs only between a key and its value in an object.';
    return `A comma is missing between two ${inside?.kind === 'object' ? 'entries of the object' : 'items of the list'}.`;
  }
  const isKey = expected.startsWith('key');
  if (isKey && end === '}') return 'There is a comma before "}"; the last entry has none after it.';
  if (end !== undefined && !isKey) return `There is no value before "${end}"; perhaps a comma too many.`;
  if (isKey && /^[-+.\d]/.test(rest)) return 'A key in double quotes is expected here.';
  const [, known] = MISTAKES.find(([pattern]) => pattern.test(rest)) ?? [];
  if (known !== undefined) return known;
  const [word] = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(rest) ?? [];
  if (word === undefined)
    return isKey ? 'A key in double quotes is expected here.' : 'A value is expected here.';
  if (isKey) return `The key ${word} needs double quotes around it.`;
  const instead = WORDS_FOR_VALUES[word.toLowerCase()];
  return instead === undefined
    ? `The text ${word} needs double quotes around it.`
    : `JSON does not know ${word}; it would be ${instead} here.`;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Line and column, both from 1, of an offset; the column counts characters, not UTF-16 units. */
export function positionIn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
