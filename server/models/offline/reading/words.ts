/** The words of a request. What is understood is taken out clause by clause; what is left must have no meaning of its own. */
import { NUMBER_WORDS } from '../../../tools/number-words.ts';
import { type Groups, wordSet } from './rules.ts';

/** Words that ask, point or are polite, and have no meaning of their own. */
const SAYS_NOTHING = wordSet(`
  a an the this that these those it its them they they’re my your our me us i we you of in on at to into from for
  out and then as is are was be do does did has have had there here now again too also please just
  what whats what’s which how can could would will want need so if make turn convert change put write rewrite get
  give show tell find list print return create format do use using set let following below above given whole entire
  all both any result results output answer text texts word words line lines lists item items name names number
  numbers value values sentence sentences paragraph passage phrase string strings letter letters character
  characters message article email document content contents data input thing things entry entries row rows record
  records code snippet block part file version form thanks one ones up way
`);

/** Sorting "as text" would put 100 before 9; no tool does. Neither word has a meaning of its own. */
export const AS_TEXT = 'as (?:plain )?(?:text|strings?|words|letters|characters)';
/** "Number" has no meaning of its own, but as an order. */
const NUMBER_THEM = 'number (?:these|those|them|it|that|this|the|my|all)';
const WORD = /[\p{L}\p{N}%<>=ꙮ][\p{L}\p{N}'’%.-]*/gu;
const wordsOf = (text: string): string[] =>
  (text.match(WORD) ?? []).map((word) => word.replace(/(?<![.'’-])[.'’-]+$/, ''));
const isTelling = (word: string): boolean =>
  !SAYS_NOTHING.has(word.toLowerCase().replaceAll("'", '’')) && word !== '';

/** Whether words only ask or point at something. */
export const saysNothing = (words: string): boolean => !wordsOf(words).some(isTelling);

/** A pattern for words that stand by themselves. */
const whole = (source: string): RegExp => new RegExp(`(?<=[\\s(])(?:${source})(?=[\\s,.?!:;)])`, 'iu');

export class Words {
  /** What wasn't understood yet. */
  left: string;
  readonly text: string;
  private refused: string | null = null;

  constructor(text: string) {
    this.text = text;
    this.left = ` ${text.replace(/\s+/g, ' ').replace(/(?<![?.!,:])[?.!,:]+\s*$/, '')} `;
  }

  /** Takes the first match out and returns its groups; `mark` replaces it. */
  take(source: string, mark = ' '): Groups | null {
    const match = whole(source).exec(this.left);
    if (match === null) return null;
    this.left = this.left.slice(0, match.index) + mark + this.left.slice(match.index + match[0].length);
    return match.groups ?? {};
  }

  /** Takes every match out and returns the groups of each. */
  takeAll(source: string): Groups[] {
    const taken = [];
    for (let next = this.take(source); next !== null; next = this.take(source)) taken.push(next);
    return taken;
  }

  /** Makes the request a refusal that names these words, or all of it where they aren't in it. */
  refuse(words: string): void {
    this.refused ??= this.text.toLowerCase().includes(words.toLowerCase()) ? words : this.text;
  }

  /** Makes the request a refusal if any of these words are left. */
  refuseAny(source: string): void {
    const [found] = whole(source).exec(this.left) ?? [];
    if (found !== undefined) this.refused ??= found;
  }

  /** The words that were not understood, from the first to the last, as they were written; null: none. */
  unused(): string | null {
    this.refuseAny(NUMBER_THEM);
    // "How many words does this contain?"
    this.take('contains?(?= *$)');
    if (this.refused !== null) return this.refused;
    const meaningful = wordsOf(this.left).filter(isTelling);
    const [first, last] = [meaningful[0], meaningful.at(-1)];
    if (first === undefined || last === undefined) return null;
    const written = [...this.text.matchAll(WORD)];
    const start = written.find(([word]) => word.startsWith(first));
    const end = written.findLast(([word]) => word.startsWith(last));
    return this.text.slice(start?.index ?? 0, (end?.index ?? 0) + last.length);
  }
}

const SMALL_NUMBERS = NUMBER_WORDS.slice(0, 13);
const BESIDE: Readonly<Record<string, number>> = { a: 1, an: 1, once: 1, twice: 2 };

/** A pattern for a small count in digits or words. */
export const COUNT = `(?:\\d{1,4}|an?|${SMALL_NUMBERS.slice(1).join('|')})`;

/** The number that {@link COUNT} matched; `usual` when it names none. */
export function countIn(words: string | undefined, usual: number): number {
  const bare = (words ?? '').toLowerCase();
  if (/^\d+$/.test(bare)) return Number(bare);
  const index = SMALL_NUMBERS.indexOf(bare);
  return BESIDE[bare] ?? (index > 0 ? index : usual);
}

/** A pattern that matches any of several. */
export const anyPattern = (patterns: Readonly<Record<string, string>>): string =>
  Object.values(patterns).join('|');

/** The name of the pattern that matches all of the words. */
export const nameFor = (patterns: Readonly<Record<string, string>>, words = ''): string | undefined =>
  Object.keys(patterns).find((name) => new RegExp(`^(?:${patterns[name]})$`, 'i').test(words));
