/** Queries as the search index understands them: words as it has them (shared/search-text.ts). */
import { MAX_QUERY_CHARACTERS } from '../../shared/limits.ts';
import { JOINT, mayBeStart, normalise, searchWords, type SearchWord } from '../../shared/search-text.ts';
import type { TextRange } from './snippet.ts';

/** How many words of a query count, from the first, and how many letters of one piece in scripts without blanks. */
const MAX_WORDS = 16;
const MAX_LETTERS = 32;
/** A shorter start of a word isn't looked up: going through all words that begin with two letters takes too long. */
const MIN_PREFIX_CHARACTERS = 3;

/** Something that must occur: what a person typed between two white spaces. */
export interface Term {
  /** Its words; they must be adjacent. At least one. */
  words: string[];
  /** The same as others write it: `gpt4o` for `GPT-4o`, `5 km` for `5km`, `1,234` for `1234`, `الكتاب` for `كتاب`. */
  others: string[][];
  /** As it was typed, from its first word to its last, normalised. */
  text: string;
  /** It was typed last, so its last word may be unfinished. */
  isLast: boolean;
}

/** What to look for: each term once, in the order typed, with 16 words at most. Nothing a person types is an operator. */
export function queryTerms(query: string): Term[] {
  const pieces = query
    .slice(0, MAX_QUERY_CHARACTERS * 2)
    .toWellFormed()
    .split(/(?:[^\S\ufeff]|\p{Cc})+/u)
    .map((piece) => ({ piece, all: [...searchWords(piece)] }))
    .filter(({ all }) => all.length > 0);
  const terms = new Map<string, Term>();
  let room = MAX_WORDS;
  for (const [index, { piece, all }] of pieces.entries()) {
    if (room <= 0) break;
    // Letters of scripts without blanks count as one word.
    const counted = all.slice(0, all.some(({ word }) => word.length > 2) ? room : MAX_LETTERS);
    const words = counted.map(({ word }) => word);
    const name = words.join(' ');
    if (terms.has(name)) continue;
    const text = normalise(piece.slice(counted[0]?.start, counted.at(-1)?.end));
    const others = otherSpellings(text).filter((other) => other.join(' ') !== name);
    terms.set(name, { words, others, text, isLast: index === pieces.length - 1 });
    room -= words.filter((word) => word.length > 2).length || 1;
  }
  return [...terms.values()];
}

/** Words that a sign joins, but no decimals, and a number with its thousands apart. */
const SIGNED = /^(?!.*\d[.,']\d)[\p{L}\p{N}]+(?:[-.'][\p{L}\p{N}]+)+$|^\d{1,3}(?:[.,']\d{3})+$/u;

function otherSpellings(text: string): string[][] {
  // Articles and prepositions are written in one word with the next.
  if (/^\p{Script=Arabic}{3,}$/u.test(text)) {
    const bare = text.replace(/^(?:[وبكف]?ال|لل)(?=..)/u, '');
    return ['', 'ال', 'وال', 'بال', 'لل'].map((prefix) => [prefix + bare]);
  }
  if (/^\p{Script=Hebrew}{3,}$/u.test(text)) return Array.from('הבלמשוכ', (prefix) => [prefix + text]);
  if (SIGNED.test(text)) return [[text.replace(/[-.,']/g, '')]];
  if (/^[1-9]\d{3,}$/.test(text)) return [BigInt(text).toLocaleString('en').split(',')];
  // `gpt4o`, and `5km`, of which `5㎞` is two words.
  const parts = /^([a-z]+(?=\d)|\d+(?=[a-z]))(\w+)$/.exec(text)?.slice(1);
  return parts ? [parts, [text]] : [];
}

/** Its words as they were typed, and as others write them. */
const spellingsOf = ({ words, others }: Term): string[][] => [words, ...others];

const JOINED = new RegExp(`^\\D${JOINT}\\D$`);

const lastOf = (words: readonly string[]): string => words.at(-1) ?? '';
const isLong = (words: readonly string[]): boolean => lastOf(words).length >= MIN_PREFIX_CHARACTERS;
const mayGoOn = ({ isLast }: Term, words: readonly string[]): boolean =>
  isLast && mayBeStart(lastOf(words)) && (isLong(words) || words.length > 1);

/** The terms for the search index (FTS4): each a phrase of its words, so that "don't" is searched for as it is, or as others write it. */
export const matchExpression = (terms: readonly Term[]): string =>
  terms
    .map((term) => {
      const phrases = spellingsOf(term).map(
        (words) => `"${words.join(' ')}${mayGoOn(term, words) && isLong(words) ? '*' : ''}"`,
      );
      return phrases.length === 1 ? phrases.join('') : `(${phrases.join(' OR ')})`;
    })
    .join(' ');

/**
 * For a last term whose last word is too short to be looked up as the start of one, as in `max_re`: the terms without that word for the search
 * index, and what the text must hold, normalised. Null: it isn't one.
 */
export function unfinishedOf(terms: readonly Term[]): { match: string; holds: string } | null {
  const last = terms.at(-1);
  if (last === undefined || !mayGoOn(last, last.words) || isLong(last.words)) return null;
  const finished = { ...last, words: last.words.slice(0, -1), others: [], isLast: false };
  return { match: matchExpression([...terms.slice(0, -1), finished]), holds: last.text };
}

/** Finds the terms in a text, in its words, which come one after the other. */
export function termFinder(
  terms: readonly Term[],
  text: string,
): (next: SearchWord) => { term: Term; range: TextRange }[] {
  const recent: SearchWord[] = [];
  /** The last word, behind those that it is joined to. */
  let whole: SearchWord = { word: '', start: 0, end: Infinity };
  const spellings = terms.flatMap((term) => spellingsOf(term).map((words) => ({ term, words })));
  const longest = Math.max(...spellings.map(({ words }) => words.length));
  return (next) => {
    recent.push(next);
    if (recent.length > longest) recent.shift();
    const isJoined = JOINED.test(text.slice(whole.end - 1, next.start + 1));
    const { word, start } = isJoined ? whole : { word: '', start: next.start };
    whole = { word: word + next.word, start, end: next.end };
    return spellings.flatMap(({ term, words }) => {
      const last = lastOf(words);
      const isWhole = words.length === 1 && last.length > word.length && whole.word.startsWith(last);
      const found = isWhole ? [whole] : recent.slice(-words.length);
      const range = { start: found[0]?.start ?? next.start, end: next.end };
      const goesOn = (): boolean =>
        mayGoOn(term, words) &&
        found.at(-1)?.word.startsWith(last) === true &&
        (isLong(words) || normalise(text.slice(range.start, range.end)).startsWith(term.text));
      const fits = words.every(
        (word, index) =>
          found[index]?.word === word ||
          (index === words.length - 1 && found[index] !== undefined && goesOn()),
      );
      return fits ? [{ term, range }] : [];
    });
  };
}

/** Whether a title, as its words joined by spaces, holds all the terms; the last word may be the start of a word. */
export function titleMatcher(terms: readonly Term[]): (titleWords: string) => boolean {
  const wanted = terms.map((term) =>
    spellingsOf(term).map((words) => ` ${words.join(' ')}${term.isLast ? '' : ' '}`),
  );
  return (title) => wanted.every((spellings) => spellings.some((words) => ` ${title} `.includes(words)));
}
