/**
 * How the skills for text, data and encoding read a request: the words that ask on one side, what they are about on the
 * other. Patterns name the thing asked about by a hole, `{}`; what stands in the hole is a pointer ("this list"), a
 * quotation, or the material itself.
 */
import { NUMBER_WORDS } from '../../../tools/number-words.ts';
import { opensAsk, stripCourtesy } from './courtesy.ts';
import { findQuotations, maskText } from './marks.ts';
import type { Wish, Request } from '../skill.ts';
import { previousText } from './history.ts';

/** One way of reading a request. */
export interface Ask {
  /** The words that ask. Quotations in them are replaced by one private-use character each, see {@link unquoted}. */
  words: string;
  /** What stands apart from the words, or null. */
  material: string | null;
  /** What the quotations say, in order. */
  quotations: string[];
  request: Request;
}

/** What a request is about. */
export interface Subject {
  text: string;
  /** Something else may be meant. */
  isGuess: boolean;
  /** Where it was found. */
  from: 'material' | 'words' | 'history';
}

const FIRST_MARK = 0xe000;
const MAX_QUOTATIONS = 20;
const MARK = /[\uE000-\uE013]/g;

/** The hole of a pattern for something in quotation marks. */
export const QUOTED = '[\\uE000-\\uE013]';

/** Words that only point at something: "the following list of names". */
const POINTING_WORDS = new Set(
  (
    'the this that these those my your our its it them they following below above here last previous given whole entire ' +
    'all each every both any some of in from for me a an result results output answer text texts word words line lines list ' +
    'lists item items name names number numbers value values sentence sentences paragraph paragraphs phrase string ' +
    'strings letter letters character characters message article passage email document content contents data csv json ' +
    'tsv table markdown code snippet input thing things entry entries element elements row rows record records title heading ' +
    'headline stuff one ones poem story note essay report paper block part file array object ' +
    'token hash url link everything now again instead too also reply response version block entire payload body bit please just only'
  ).split(' '),
);

const MAX_POINTING_WORDS = 9;

/** The ways to read a request, the likeliest first: as it stands, and without politeness around it. */
export function readAsks(request: Request): Ask[] {
  const text = request.text.trim();
  const bare = stripCourtesy(text).trim();
  const readings = text === bare ? [text] : [text, bare];
  const isBlock =
    request.material !== null &&
    !findQuotations(request.text).some(({ content }) => content === request.material);
  if (isBlock) return readings.map((reading) => askOf(withoutColon(reading), request.material, request));
  return readings.flatMap((reading) => [
    ...asksAtColon(reading, request),
    askOf(withoutColon(reading), null, request),
  ]);
}

/** "count the words in this: …" on one line. */
function asksAtColon(text: string, request: Request): Ask[] {
  const colon = /^([^:\n]{1,160}):\s+(?=\S)/.exec(maskText(text.slice(0, 400)));
  const head = colon?.[1]?.length ?? 0;
  if (colon === null) return [];
  const words = text.slice(0, head).replace(/\s+(?:in|of|from|for|on)$/i, '');
  return [askOf(words, withoutQuotes(text.slice(colon[0].length).trim()), request)];
}

/** The first sure wish over all readings of a request, else the first guess. */
export function firstWish(
  asks: readonly Ask[],
  readers: readonly ((ask: Ask) => Wish | null)[],
): Wish | null {
  let guess: Wish | null = null;
  for (const ask of asks) {
    for (const read of readers) {
      const wish = read(ask);
      if (wish !== null && wish.isGuess !== true) return wish;
      guess ??= wish;
    }
  }
  return guess;
}

function askOf(words: string, material: string | null, request: Request): Ask {
  const quotations: string[] = [];
  let marked = '';
  let done = 0;
  for (const { start, end, content } of findQuotations(words).slice(0, MAX_QUOTATIONS)) {
    marked += words.slice(done, start) + String.fromCharCode(FIRST_MARK + quotations.length);
    quotations.push(content);
    done = end;
  }
  const asked = (marked + words.slice(done)).replace(/\s{1,3}for me(?=[\s?.!]{0,3}$)/i, '');
  return { words: asked, material, quotations, request };
}

function withoutColon(text: string): string {
  return text.replace(/\s{0,20}:$/, '').replace(/\s+(?:in|of|from)$/i, '');
}

/** `text` without the quotation marks around it, when it is one quotation from end to end. */
export function withoutQuotes(text: string): string {
  const [only] = findQuotations(text);
  return only !== undefined && only.start === 0 && only.end === text.length ? only.content : text;
}

/** Puts quotations back into a part of an ask's words, without their marks. */
export function unquoted(part: string, { quotations }: Ask): string {
  return part.replace(MARK, (mark) => quotations[mark.charCodeAt(0) - FIRST_MARK] ?? mark);
}

/**
 * A pattern for the whole of an ask's words. A space stands for white space; `{}` is the hole (the group `rest`) and may be
 * missing together with the space next to it.
 */
export function template(source: string): RegExp {
  const end = source.endsWith('{}') ? '$' : '\\s{0,3}[?.!]{0,3}$';
  const pattern = source
    .replace(/ \{\}/, '(?: (?<rest>.+?))?')
    .replace(/^\{\} /, '(?:(?<rest>.+?) )?')
    .replaceAll(' ?', '\\s{0,3}')
    .replaceAll(' ', '\\s{1,3}');
  return new RegExp(`^${pattern}${end}`, 'isu');
}

/** The patterns of a table, one a line. */
export const templates = (table: string): RegExp[] => namedTemplates(table).map(([, pattern]) => pattern);

/** The patterns of a table, one a line, each with the name that stands behind it after ` => `. */
export const namedTemplates = (table: string): [name: string, pattern: RegExp][] =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [said = '', name = ''] = line.trim().split(/\s+=> /);
      return [name, template(said)];
    });

/** The first pattern that fits the words, with its groups. */
export function matchFirst(
  words: string,
  patterns: readonly RegExp[],
): Record<string, string | undefined> | null {
  for (const pattern of patterns) {
    const match = pattern.exec(words);
    if (match !== null) return { ...match.groups };
  }
  return null;
}

/** How to find a subject where it has to be guessed. */
export interface Guess {
  /** Whether the words in the hole may be the material themselves. Default never. */
  accepts?: (rest: string) => boolean;
  /** Whether words that are taken for the material may be meant otherwise. Default no. */
  isGuess?: boolean;
  /** Whether the earlier conversation may supply it. Default true. */
  history?: boolean;
}

/** What stands for the hole: material apart, a quotation, the words themselves, or the earlier conversation; else null. */
export function subjectOf(rest: string | undefined, ask: Ask, guess: Guess = {}): Subject | null {
  const hole = (rest ?? '').trim();
  const quotation = quotationIn(hole, ask);
  if (quotation !== null) return { text: quotation, isGuess: false, from: 'words' };
  const isPointer = hole === '' || pointsOnly(hole);
  if (ask.material !== null) {
    const isAnother = /(?:^|\s)(?:and|then)(?:\s|$)|,\s/i.test(hole);
    const describes =
      isPointer ||
      (!isAnother &&
        /^(?:(?:the|this|that|these|those|my|our|all|following)\s)?(?:\S+\s){0,3}\S+$/i.test(hole));
    return describes ? { text: ask.material, isGuess: false, from: 'material' } : null;
  }
  if (isPointer) {
    if (guess.history === false) return null;
    const previous = previousText(ask.request.history);
    return previous === null ? null : { text: previous.text, isGuess: previous.isGuess, from: 'history' };
  }
  // A quotation among other words is what is asked about, and the other words are another request.
  if (
    /[\p{L}\p{N}]/u.test(hole.replace(MARK, '').replace(/\b(?:and|or)\b/gi, '')) &&
    hole.search(MARK) !== -1
  )
    return null;
  const bare = /^(?:how|what|which|is|are|do|does|can)\b/i.test(ask.words)
    ? hole.replace(/\s*\?+$/, '')
    : hole;
  const text = unquoted(
    bare.replace(
      /^(?:(?:the|these|those|my) )?(?:following )?(?:word|phrase|string|text|sentence|name|number|item|value)s? (?=\S)/i,
      '',
    ),
    ask,
  );
  if (guess.accepts?.(text) !== true || holdsAnother(text)) return null;
  return { text, isGuess: guess.isGuess === true || (hole.match(MARK)?.length ?? 0) > 1, from: 'words' };
}

/** To have a tool work on a subject; null: there is none. */
export const workOn = (
  subject: Subject | null,
  tool: string,
  more: Record<string, unknown> = {},
): Wish | null => subject && { tool, input: { text: subject.text, ...more }, isGuess: subject.isGuess };

/** The name under which the pattern stands that all of the words fit; null: they fit none. */
export const nameFor = <Name extends string>(
  patterns: Readonly<Record<Name, string>>,
  words: string | undefined,
): Name | null =>
  (Object.keys(patterns) as Name[]).find((name) =>
    new RegExp(`^(?:${patterns[name]})$`, 'i').test(words ?? ''),
  ) ?? null;

/** True for "b, a and then reverse it": its end is a request of its own. */
function holdsAnother(text: string): boolean {
  return (
    text.length < 400 &&
    text
      .split(/,?\s+(?:and(?: then)?|then)\s+/i)
      .slice(1)
      .some((part) => /\s/.test(part) && opensAsk(part))
  );
}

/** True when words only point at something and say nothing themselves. */
export function pointsOnly(words: string): boolean {
  const bare = words.toLowerCase().replace(/[\s?.!,:]+$/, '');
  if (bare.length > 120) return false;
  const parts = bare.split(/\s+/);
  return parts.length <= MAX_POINTING_WORDS && parts.every((part) => POINTING_WORDS.has(part));
}

/** The quotation a hole is about: `the phrase "…"` and nothing else. */
function quotationIn(hole: string, { quotations }: Ask): string | null {
  const marks = hole.slice(0, 200).match(MARK) ?? [];
  const [mark] = marks;
  if (mark === undefined || marks.length > 1) return null;
  const around = hole
    .replace(mark, ' ')
    .replace(/[\s?.!,]+$/, '')
    .trim();
  return around === '' || pointsOnly(around) ? (quotations[mark.charCodeAt(0) - FIRST_MARK] ?? null) : null;
}

/** True for words that are likely a thing named in passing rather than the material: "the English language", "is better". */
export function soundsLikeProse(rest: string): boolean {
  return /^(?:the|a|an|my|your|our|his|her|their|its|i|you|we|he|she|they|it|is|are|was|were|be|been|vs\.?|versus|or|and|but|per|can|could|should|would|will|do|does|did|to|for|on|at|if|in|of|by|with|about|as|than|that|this|these|those|out|through|up|off|how|what|why|when|where|who|which|not|no|means?|has|have|had|algorithm|one|some|any|each|every)(?:\s|$)/iu.test(
    rest.trim(),
  );
}

/** Counts people write in words. */
const COUNT_WORDS = NUMBER_WORDS.slice(0, 13);

/** A pattern for a small count in digits or words. */
export const COUNT = `(?:\\d{1,4}|an?|${COUNT_WORDS.slice(1).join('|')}|a couple of|a few|some|several|a dozen)`;

const COUNTS_BESIDE: Readonly<Record<string, number>> = {
  a: 1, an: 1, once: 1, twice: 2, 'a couple of': 2, 'a few': 3, some: 3, several: 3, 'a dozen': 12,
}; // prettier-ignore

/** The number that {@link COUNT} matched; `usual` when it names none. */
export function countIn(words: string | undefined, usual: number): number {
  const bare = (words ?? '').toLowerCase().trim();
  if (/^\d+$/.test(bare)) return Number(bare);
  const index = COUNT_WORDS.indexOf(bare);
  return COUNTS_BESIDE[bare] ?? (index > 0 ? index : usual);
}
