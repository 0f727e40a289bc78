/**
 * Reads a calculation into a tree. Names, calls and signs are only read here: evaluate.ts decides which of them there are.
 * From loose to tight: `=`; comparisons; `+ -`; `* / % mod`; multiplication that isn't written (`2 pi`); signs; `^`; `!`.
 */

/** A part of a calculation; `text` is what it was read from. */
export type Tree = { text: string } & (
  | { kind: 'number' }
  | { kind: 'name' }
  | { kind: 'call'; name: string; args: Tree[] }
  | { kind: 'prefix' | 'postfix'; sign: string; of: Tree }
  | { kind: 'binary'; sign: string; left: Tree; right: Tree }
  /** `1 < x <= 3`: a sign between each two sides. */
  | { kind: 'comparison'; signs: string[]; sides: Tree[] }
  | { kind: 'list'; items: Tree[] }
  | { kind: 'assignment'; name: string; value: Tree }
  /** One after the other; the last one is the result. */
  | { kind: 'sequence'; parts: Tree[] }
);

type Token = { kind: 'number' | 'name' | 'sign' | 'end'; text: string; from: number; to: number };

const TOKEN =
  /\s*(?:(0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\d_]*)|([=!<>]=|[-+*/^!%()[\],;=<>]))/uy;
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Reads a calculation. Throws SyntaxError where it isn't one. */
export function parse(text: string): Tree {
  return new Reader(text).all();
}

class Reader {
  readonly #text: string;
  readonly #tokens: Token[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  all(): Tree {
    const parts: Tree[] = [];
    while (!this.#isOver()) {
      if (this.#skip(';')) continue;
      parts.push(this.#assignment());
      if (!this.#isOver()) this.#need(';');
    }
    const [first] = parts;
    if (first === undefined) throw new SyntaxError('nothing there');
    return parts.length === 1 ? first : { kind: 'sequence', parts, text: this.#text };
  }

  get #token(): Token {
    return (
      this.#tokens[this.#at] ?? { kind: 'end', text: '', from: this.#text.length, to: this.#text.length }
    );
  }

  #isOver(): boolean {
    return this.#at === this.#tokens.length;
  }

  #isSign(...signs: string[]): boolean {
    return this.#token.kind === 'sign' && signs.includes(this.#token.text);
  }

  #next(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1]?.text ?? '';
  }

  #isName(name: string): boolean {
    return this.#token.kind === 'name' && this.#token.text === name;
  }

  #skip(sign: string): boolean {
    const isThere = this.#isSign(sign);
    if (isThere) this.#at += 1;
    return isThere;
  }

  #need(sign: string): void {
    if (!this.#skip(sign)) throw new SyntaxError(`${sign} is missing`);
  }

  /** What was read since the token with this number. */
  #since(start: number): string {
    return this.#text.slice(this.#tokens[start]?.from, this.#tokens[this.#at - 1]?.to);
  }

  #assignment(): Tree {
    const start = this.#at;
    const left = this.#comparison();
    if (!this.#isSign('=')) return left;
    if (left.kind !== 'name') throw new SyntaxError('only names are given a value');
    this.#next();
    return { kind: 'assignment', name: left.text, value: this.#assignment(), text: this.#since(start) };
  }

  #comparison(): Tree {
    const start = this.#at;
    const sides = [this.#sum()];
    const signs: string[] = [];
    while (this.#isSign(...COMPARISONS)) {
      signs.push(this.#next());
      sides.push(this.#sum());
    }
    return signs.length === 0 && sides[0]
      ? sides[0]
      : { kind: 'comparison', signs, sides, text: this.#since(start) };
  }

  #sum(): Tree {
    const start = this.#at;
    let left = this.#product();
    while (this.#isSign('+', '-')) {
      const sign = this.#next();
      const right = this.#product();
      left = { kind: 'binary', sign, left, right, text: this.#since(start) };
    }
    return left;
  }

  #product(): Tree {
    const start = this.#at;
    let left = this.#unwritten();
    while (this.#isSign('*', '/', '%') || this.#isName('mod')) {
      const sign = this.#next();
      const right = this.#unwritten();
      left = { kind: 'binary', sign: sign === '%' ? 'mod' : sign, left, right, text: this.#since(start) };
    }
    return left;
  }

  /** `2 pi`, `(1 + 2)(3 + 4)`; in `1/2 pi`, the fraction comes first. Two numbers beside each other are a slip, no product. */
  #unwritten(): Tree {
    const start = this.#at;
    let left = this.#isFraction() ? this.#fraction() : this.#percentage();
    for (let last = left; this.#isFactorAfter(last);) {
      last = this.#percentage();
      left = { kind: 'binary', sign: '*', left, right: last, text: this.#since(start) };
    }
    return left;
  }

  #isFactorAfter(left: Tree): boolean {
    if (this.#token.kind === 'number')
      return left.kind !== 'number' && left.kind !== 'prefix' && left.kind !== 'binary';
    return this.#isSign('(') || (this.#token.kind === 'name' && !this.#isName('mod'));
  }

  #isFraction(): boolean {
    const from = this.#isSign('-') ? this.#at + 1 : this.#at;
    const [top, line, bottom, next] = this.#tokens.slice(from, from + 4);
    if (top?.kind !== 'number' || line?.text !== '/' || bottom?.kind !== 'number') return false;
    return next?.text === '(' || (next?.kind === 'name' && next.text !== 'mod');
  }

  #fraction(): Tree {
    const start = this.#at;
    const left = this.#signed();
    const sign = this.#next();
    const right = this.#primary();
    // No number, though made of two: `1/2 3` is a slip as well.
    return { kind: 'binary', sign, left, right, text: this.#since(start) };
  }

  /** `%` is a percentage unless something follows that it could be the remainder by; a sign isn't such a thing. */
  #percentage(): Tree {
    const start = this.#at;
    const of = this.#signed();
    const after = this.#tokens[this.#at + 1];
    const isRemainder =
      after?.kind === 'number' ||
      (after?.kind === 'name' && after.text !== 'mod') ||
      after?.text === '(' ||
      after?.text === '[';
    if (!this.#isSign('%') || isRemainder) return of;
    return { kind: 'postfix', sign: this.#next(), of, text: this.#since(start) };
  }

  #signed(): Tree {
    const start = this.#at;
    if (!this.#isSign('+', '-')) return this.#power();
    return { kind: 'prefix', sign: this.#next(), of: this.#signed(), text: this.#since(start) };
  }

  #power(): Tree {
    const start = this.#at;
    const left = this.#factorial();
    if (!this.#isSign('^')) return left;
    return { kind: 'binary', sign: this.#next(), left, right: this.#signed(), text: this.#since(start) };
  }

  #factorial(): Tree {
    const start = this.#at;
    let of = this.#primary();
    while (this.#isSign('!')) of = { kind: 'postfix', sign: this.#next(), of, text: this.#since(start) };
    return of;
  }

  #primary(): Tree {
    const start = this.#at;
    if (this.#skip('(')) {
      const inside = this.#assignment();
      this.#need(')');
      return { kind: 'sequence', parts: [inside], text: this.#since(start) };
    }
    if (this.#skip('[')) return { kind: 'list', items: this.#items(']'), text: this.#since(start) };
    const { kind } = this.#token;
    if (kind !== 'number' && kind !== 'name') throw new SyntaxError('a number is missing');
    const text = this.#next();
    if (kind === 'name' && this.#skip('('))
      return { kind: 'call', name: text, args: this.#items(')'), text: this.#since(start) };
    return { kind, text };
  }

  /** What stands between brackets. */
  #items(end: ')' | ']'): Tree[] {
    const items: Tree[] = [];
    while (!this.#skip(end)) {
      if (items.length > 0) this.#need(this.#isSign(';') && end === ']' ? ';' : ',');
      items.push(this.#assignment());
    }
    return items;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (match === null) throw new SyntaxError('something unknown is in it');
    const [, number, name, sign = ''] = match;
    const found = number ?? name ?? sign;
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign';
    tokens.push({ kind, text: found, from: TOKEN.lastIndex - found.length, to: TOKEN.lastIndex });
  }
  return tokens;
}
