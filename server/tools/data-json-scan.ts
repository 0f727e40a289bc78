/**
 * Walks JSON text token by token. It stands beside `JSON.parse` for what that can't do: say in words what is wrong and
 * where, and lay text out anew without touching what is written (long numbers, repeated keys, the order of keys).
 */

/** A text that is JSON, as its tokens in order, or why and where (UTF-16 offset) it is not. */
export type JsonScan =
  { ok: true; tokens: string[]; depth: number } | { ok: false; problem: string; offset: number };

type Expected = 'value' | 'item-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

interface Opened {
  bracket: '{' | '[';
  offset: number;
}

class JsonProblem extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

const WHITE_SPACE = ' \t\n\r';
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]{0,99}/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

const WORDS_FOR_VALUES: Record<string, string> = {
  true: 'true',
  false: 'false',
  none: 'null',
  null: 'null',
  nil: 'null',
  undefined: 'null',
  nan: 'null',
  infinity: 'null',
};

/** Scans `text`; never throws. Time and memory are linear in its length, however deeply it is nested. */
export function scanJson(text: string): JsonScan {
  try {
    return { ok: true, ...scan(text) };
  } catch (error) {
    if (error instanceof JsonProblem) return { ok: false, problem: error.message, offset: error.offset };
    throw error;
  }
}

function scan(text: string): { tokens: string[]; depth: number } {
  const tokens: string[] = [];
  const open: Opened[] = [];
  let depth = 0;
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    while (at < text.length && WHITE_SPACE.includes(text.charAt(at))) at += 1;
    if (at >= text.length) break;
    const character = text.charAt(at);
    const inside = open.at(-1);
    let token = character;
    if (expected === 'nothing') {
      throw new JsonProblem('There is more text after the end of the JSON.', at);
    } else if (expected === 'colon') {
      if (character !== ':') throw new JsonProblem('A colon is missing after the key.', at);
      expected = 'value';
    } else if (isEnd(character) && (expected === 'comma-or-end' || expected.endsWith('-or-end'))) {
      if (inside === undefined || closing(inside) !== character) throw wrongEnd(character, inside, at);
      open.pop();
      expected = open.length === 0 ? 'nothing' : 'comma-or-end';
    } else if (expected === 'comma-or-end') {
      if (character !== ',') throw missingComma(text, at, inside);
      expected = inside?.bracket === '{' ? 'key' : 'value';
    } else if (expected === 'key' || expected === 'key-or-end') {
      token = keyAt(text, at);
      expected = 'colon';
    } else if (character === '{' || character === '[') {
      open.push({ bracket: character, offset: at });
      depth = Math.max(depth, open.length);
      expected = character === '{' ? 'key-or-end' : 'item-or-end';
    } else {
      token = scalarAt(text, at);
      expected = open.length === 0 ? 'nothing' : 'comma-or-end';
    }
    tokens.push(token);
    at += token.length;
  }
  if (expected === 'nothing') return { tokens, depth };
  throw endsTooEarly(text, open.at(-1));
}

function isEnd(character: string): boolean {
  return character === '}' || character === ']';
}

function closing({ bracket }: Opened): string {
  return bracket === '{' ? '}' : ']';
}

function nameOf({ bracket }: Opened): string {
  return bracket === '{' ? 'object' : 'list';
}

function endsTooEarly(text: string, inside: Opened | undefined): JsonProblem {
  if (inside === undefined) return new JsonProblem('There is nothing here; JSON needs a value.', text.length);
  const { line } = positionIn(text, inside.offset);
  return new JsonProblem(
    `The text ends before the ${nameOf(inside)} that begins in line ${line} is closed with "${closing(inside)}".`,
    text.length,
  );
}

function wrongEnd(character: string, inside: Opened | undefined, at: number): JsonProblem {
  const due = inside === undefined ? '' : ` This ${nameOf(inside)} is closed with "${closing(inside)}".`;
  return new JsonProblem(`"${character}" is in the wrong place.${due}`, at);
}

function missingComma(text: string, at: number, inside: Opened | undefined): JsonProblem {
  const character = text.charAt(at);
  if (startsComment(text, at)) return new JsonProblem('JSON has no comments.', at);
  if (character === ':')
    return new JsonProblem('A colon belongs only between a key and its value in an object.', at);
  const between = inside?.bracket === '{' ? 'entries of the object' : 'items of the list';
  return new JsonProblem(`A comma is missing between two ${between}.`, at);
}

function keyAt(text: string, at: number): string {
  const character = text.charAt(at);
  if (character === '"') return stringAt(text, at);
  if (character === '}')
    throw new JsonProblem('There is a comma before "}"; the last entry has none after it.', at);
  if (character === ',') throw new JsonProblem('There is a comma too many.', at);
  checkQuotes(text, at);
  const word = matchAt(WORD, text, at);
  if (word !== null) throw new JsonProblem(`The key ${word} needs double quotes around it.`, at);
  throw new JsonProblem('A key in double quotes is expected here.', at);
}

function scalarAt(text: string, at: number): string {
  const character = text.charAt(at);
  if (character === '"') return stringAt(text, at);
  const number = matchAt(NUMBER, text, at);
  if (number !== null) return checkedNumber(text, at, number);
  checkQuotes(text, at);
  const word = matchAt(WORD, text, at);
  if (word === 'true' || word === 'false' || word === 'null') return word;
  if (word !== null) throw unknownWord(word, at);
  if (isEnd(character)) {
    throw new JsonProblem(`There is no value before "${character}"; perhaps a comma too many.`, at);
  }
  if (character === ',')
    throw new JsonProblem('There is a comma too many, or a value is missing before it.', at);
  if ('+.'.includes(character)) {
    throw new JsonProblem('A number begins with a digit or a minus sign, with a digit before the point.', at);
  }
  if (character === '-') throw new JsonProblem('A minus sign needs digits after it.', at);
  throw new JsonProblem('A value is expected here.', at);
}

function checkedNumber(text: string, at: number, number: string): string {
  const next = text.charAt(at + number.length);
  if (/[\d]/.test(next)) throw new JsonProblem('A number must not begin with a zero.', at);
  if (next === '.') throw new JsonProblem('A decimal point needs digits after it.', at);
  if (/[\p{L}_]/u.test(next))
    throw new JsonProblem('A number runs into other text; text needs double quotes.', at);
  return number;
}

function unknownWord(word: string, at: number): JsonProblem {
  const instead = WORDS_FOR_VALUES[word.toLowerCase()];
  return new JsonProblem(
    instead === undefined
      ? `The text ${word} needs double quotes around it.`
      : `JSON does not know ${word}; it would be ${instead} here.`,
    at,
  );
}

function checkQuotes(text: string, at: number): void {
  const character = text.charAt(at);
  if (startsComment(text, at)) throw new JsonProblem('JSON has no comments.', at);
  if (character === "'" || character === '`') {
    throw new JsonProblem('Text needs double quotes in JSON, not single ones.', at);
  }
  if ('“”„‘’«»'.includes(character)) {
    throw new JsonProblem('Text needs straight double quotes in JSON, not curly ones.', at);
  }
}

function startsComment(text: string, at: number): boolean {
  return text.startsWith('//', at) || text.startsWith('/*', at) || text.charAt(at) === '#';
}

function stringAt(text: string, start: number): string {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code))
      throw new JsonProblem('The text that begins here is not closed with a double quote.', start);
    if (code === 0x22) return text.slice(start, at + 1);
    if (code === 0x0a || code === 0x0d) {
      throw new JsonProblem(
        'The text that begins here is not closed on its line; a line break inside is written \\n.',
        start,
      );
    }
    if (code < 0x20) {
      throw new JsonProblem(
        'A tab or control character inside a text must be written as an escape, such as \\t.',
        at,
      );
    }
    if (code === 0x5c) {
      const escape = matchAt(ESCAPE, text, at);
      if (escape === null)
        throw new JsonProblem(`JSON does not know the escape ${text.slice(at, at + 2)}.`, at);
      at += escape.length;
    } else {
      at += 1;
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** Line and column, both from 1, of an offset; the column counts characters, not UTF-16 units. */
export function positionIn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
