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
  end: '}' | ']';
  offset: number;
}

const SPACE = /[ \t\n\r]*/y;
/** A text up to where it ends, or where something stands that no text may hold. */
const TEXT = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001f]*)*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_.])/uy;
const WORD_OR_SIGN = /(?:true|false|null)(?![\p{L}\p{N}_$])|[{}[\],:]/uy;

/** How the tokens begin that may come next. */
const ALLOWED: Readonly<Record<Expected, RegExp>> = {
  value: /^[^\]},:]/,
  'item-or-end': /^[^},:]/,
  key: /^"/,
  'key-or-end': /^["}]/,
  colon: /^:/,
  'comma-or-end': /^[\]},]/,
  nothing: /^$/,
};

/** Scans `text`; never throws. Time and memory are linear in its length, however deeply it is nested. */
export function scanJson(text: string): JsonScan {
  const tokens: string[] = [];
  const open: Opened[] = [];
  let depth = 0;
  let expected: Expected = 'value';
  let at = matchAt(SPACE, text, 0).length;
  while (at < text.length) {
    const token = tokenAt(text, at);
    const inside = open.at(-1);
    const isEnd = token === '}' || token === ']';
    if (token === '' || !ALLOWED[expected].test(token) || (isEnd && token !== inside?.end))
      return { ok: false, ...mistakeAt(text, at, expected) };
    if (isEnd) open.pop();
    if (token === '{') open.push({ end: '}', offset: at });
    if (token === '[') open.push({ end: ']', offset: at });
    depth = Math.max(depth, open.length);
    expected = nextAfter(token, expected, open.at(-1));
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

/** What may follow a token; `inside` is what it leaves open. */
function nextAfter(token: string, expected: Expected, inside: Opened | undefined): Expected {
  if (token === '{') return 'key-or-end';
  if (token === '[') return 'item-or-end';
  if (token === ':') return 'value';
  if (token === ',') return inside?.end === '}' ? 'key' : 'value';
  if (expected.startsWith('key') && token !== '}') return 'colon';
  return inside === undefined ? 'nothing' : 'comma-or-end';
}

function endsTooEarly(text: string, inside: Opened | undefined): string {
  if (inside === undefined) return 'There is nothing here; JSON needs a value.';
  const { line } = positionIn(text, inside.offset);
  const kind = inside.end === '}' ? 'object' : 'list';
  return `The text ends before the ${kind} that begins in line ${line} is closed with "${inside.end}".`;
}

/** What is wrong, by what was expected and the text that stands there instead. The first that fits is told; `$1` is its group. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^nothing/, 'There is more text after the end of the JSON.'],
  [/^colon/, 'A colon is missing after the key.'],
  [/^\S+ (?:\/[/*]|#)/, 'JSON has no comments.'],
  [/^comma-or-end \]/, '"]" closes a list, but an object is open here.'],
  [/^comma-or-end \}/, '"}" closes an object, but a list is open here.'],
  [/^comma-or-end :/, 'A colon belongs only between a key and its value in an object.'],
  [/^comma-or-end/, 'A comma is missing between two entries.'],
  [/^key\S* \}/, 'There is a comma before "}"; the last entry has none after it.'],
  [/^\S+ ['`]/, 'Text needs double quotes in JSON, not single ones.'],
  [/^\S+ [“”„‘’«»]/, 'Text needs straight double quotes in JSON, not curly ones.'],
  [/^key\S* ([\p{L}_$][\p{L}\p{N}_$]*)/u, 'The key $1 needs double quotes around it.'],
  [/^key/, 'A key in double quotes is expected here.'],
  [/^\S+ ([\]}])/, 'There is no value before "$1"; perhaps a comma too many.'],
  [/^\S+ ,/, 'There is a comma too many, or a value is missing before it.'],
  [/^\S+ -?0\d/, 'A number must not begin with a zero.'],
  [/^\S+ -?\d+\.(?!\d)/, 'A decimal point needs digits after it.'],
  [/^\S+ -?\d/, 'A number runs into other text; text needs double quotes.'],
  [/^\S+ [+.]/, 'A number begins with a digit or a minus sign, with a digit before the point.'],
  [/^\S+ -/, 'A minus sign needs digits after it.'],
  [/^\S+ (?:true|false)\b/i, 'JSON writes true and false in small letters.'],
  [/^\S+ (none|null|nil|undefined|nan|infinity)\b/i, 'JSON does not know $1; it would be null here.'],
  [/^\S+ ([\p{L}_$][\p{L}\p{N}_$]*)/u, 'The text $1 needs double quotes around it.'],
  [/^/, 'A value is expected here.'],
];

type Mistake = Pick<Extract<JsonScan, { ok: false }>, 'problem' | 'offset'>;

function mistakeAt(text: string, at: number, expected: Expected): Mistake {
  if (text.charAt(at) === '"' && ALLOWED[expected].test('"')) return mistakeInText(text, at);
  const state = `${expected} ${text.slice(at, at + 100)}`;
  const [pattern, words] = MISTAKES.find(([each]) => each.test(state)) ?? [/^/, ''];
  return { problem: words.replace('$1', () => pattern.exec(state)?.[1] ?? ''), offset: at };
}

/** A text that isn't one goes wrong where the pattern ends. */
function mistakeInText(text: string, at: number): Mistake {
  const offset = at + matchAt(TEXT, text, at).length;
  const sign = text.charAt(offset);
  if (sign === '\\')
    return { problem: `JSON does not know the escape ${text.slice(offset, offset + 2)}.`, offset };
  if (/[^\n\r]/.test(sign))
    return {
      problem: 'A tab or control character inside a text must be written as an escape, such as \\t.',
      offset,
    };
  const problem =
    'The text that begins here is not closed on its line with a double quote; a line break inside it is written \\n.';
  return { problem, offset: at };
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
