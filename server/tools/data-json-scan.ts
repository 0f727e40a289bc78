/** What is wrong with a text that should be JSON, and where: more than `JSON.parse` says. */
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** A JSON text’s value, or in a sentence why it is none, and where (UTF-16 offset). */
type JsonScan = { ok: true; value: unknown } | { ok: false; problem: string; offset: number };

/** Checks `text`; never throws. */
export function scanJson(text: string): JsonScan {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, ...mistakeIn(text) };
  }
}

/** By the parser's code for a mistake and the text where it is; the first that fits is reported, `$1` is its group. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^InvalidComment/, 'JSON has no comments.'],
  [/^EndOfFile/, 'There is more text after the end of the JSON.'],
  [/^Colon/, 'A colon is missing after the key.'],
  [/^Comma\w+ ([\]}])/, 'What is open here isn’t closed with "$1".'],
  [/^Comma\w+ \d/, 'A comma is missing between two entries, or a number begins with a zero.'],
  [/^Comma/, 'A comma is missing between two entries.'],
  [/^CloseBrace/, 'The text ends before an object is closed with "}".'],
  [/^CloseBracket/, 'The text ends before a list is closed with "]".'],
  [/^\w+ ['`]/, 'Text needs double quotes in JSON, not single ones.'],
  [/^\w+ [“”„‘’«»]/, 'Text needs straight double quotes in JSON, not curly ones.'],
  [/^Property\w+ \}/, 'There is a comma before "}"; the last entry has none after it.'],
  [/^Property/, 'A key in double quotes is expected here.'],
  [/^Value\w+ ([\]}])/, 'There is no value before "$1"; perhaps a comma too many.'],
  [/^Value\w+ ,/, 'There is a comma too many, or a value is missing before it.'],
  [/^Value\w+ $/, 'There is nothing here; JSON needs a value.'],
  [/^UnexpectedEndOfString/, 'This text is not closed on its line; a line break inside it is written \\n.'],
  [
    /^Invalid(?:Escape|Unicode)/,
    'This text has an escape that JSON does not know; a backslash is written \\\\.',
  ],
  [/^InvalidCharacter/, 'This text holds a tab or control character; a tab is written \\t.'],
  [/^UnexpectedEndOfNumber/, 'A decimal point needs digits after it.'],
  [/^\w+ (?:true|false)\b/i, 'JSON writes true and false in small letters.'],
  [/^\w+ (none|null|nil|undefined|nan|infinity)\b/i, 'JSON does not know $1; it would be null here.'],
  [/^\w+ ([\p{L}_$][\p{L}\p{N}_$]*)/u, 'The word $1 needs double quotes around it.'],
  [/^/, 'A value is expected here.'],
];

function mistakeIn(text: string): { problem: string; offset: number } {
  const mistakes: ParseError[] = [];
  try {
    parse(text, mistakes, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problem: 'It is nested too deeply to find out.', offset: 0 };
  }
  const [mistake] = mistakes;
  const offset = mistake?.offset ?? 0;
  const state = mistake ? `${printParseErrorCode(mistake.error)} ${text.slice(offset, offset + 100)}` : '';
  const [pattern, words] = MISTAKES.find(([each]) => each.test(state)) ?? [/^/, ''];
  return { problem: words.replace('$1', () => pattern.exec(state)?.[1] ?? ''), offset };
}

/** Line and column, both from 1, of an offset; the column counts characters, not UTF-16 units. */
export function positionIn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
