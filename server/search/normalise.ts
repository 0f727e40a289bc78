/** Queries as the search index understands them: words as it has them (shared/search-text.ts). */
import { MAX_QUERY_CHARACTERS } from '../../shared/limits.ts';
import { searchWords, type SearchWord } from '../../shared/search-text.ts';
import type { TextRange } from './snippet.ts';

/** How many words of a query count, from the first, and how many letters of one piece in scripts without blanks. */
const MAX_WORDS = 16;
const MAX_LETTERS = 32;
/** A shorter word only matches itself: looking up all words that begin with two letters takes too long. */
const MIN_PREFIX_CHARACTERS = 3;

/** Something that must occur: what a person typed between two white spaces. */
export interface Term {
  /** Its words; they must be adjacent. At least one. */
  words: string[];
  /** It was typed last, so its last word may be unfinished. */
  isLast: boolean;
}

/** What to look for: each term once, in the order typed, with 16 words at most. Nothing a person types is an operator. */
export function queryTerms(query: string): Term[] {
  const pieces = query
    .slice(0, MAX_QUERY_CHARACTERS * 2)
    .toWellFormed()
    .split(/[\s\p{Cc}]+/u)
    .map((piece) => Array.from(searchWords(piece), ({ word }) => word))
    .filter(({ length }) => length > 0);
  const terms = new Map<string, Term>();
  let room = MAX_WORDS;
  for (const [index, all] of pieces.entries()) {
    if (room <= 0) break;
    // Letters of scripts without blanks count as one word.
    const words = all.slice(0, all.some((word) => word.length > 2) ? room : MAX_LETTERS);
    const name = words.join(' ');
    if (terms.has(name)) continue;
    terms.set(name, { words, isLast: index === pieces.length - 1 });
    room -= words.filter((word) => word.length > 2).length || 1;
  }
  return [...terms.values()];
}

const mayBeStart = ({ words, isLast }: Term): boolean =>
  isLast && (words.at(-1)?.length ?? 0) >= MIN_PREFIX_CHARACTERS;

/** The terms for the search index (FTS4): each a phrase of its words, so that "don't" is searched for as it is. */
export const matchExpression = (terms: readonly Term[]): string =>
  terms.map((term) => `"${term.words.join(' ')}${mayBeStart(term) ? '*' : ''}"`).join(' ');

/** Finds the terms in the words of a text, which come one after the other. */
export function termFinder(terms: readonly Term[]): (next: SearchWord) => { term: Term; range: TextRange }[] {
  const recent: SearchWord[] = [];
  const longest = Math.max(...terms.map(({ words }) => words.length));
  const fits = (term: Term): boolean =>
    term.words.length <= recent.length &&
    term.words.every((wanted, index) => {
      const word = recent[recent.length - term.words.length + index]?.word ?? '';
      const mayGoOn = index === term.words.length - 1 && mayBeStart(term);
      return mayGoOn ? word.startsWith(wanted) : word === wanted;
    });
  return (next) => {
    recent.push(next);
    if (recent.length > longest) recent.shift();
    return terms.filter(fits).map((term) => {
      const start = recent[recent.length - term.words.length]?.start ?? next.start;
      return { term, range: { start, end: next.end } };
    });
  };
}

/** Whether a title, as its words joined by spaces, holds all the terms; the last word may be the start of a word. */
export function titleMatcher(terms: readonly Term[]): (titleWords: string) => boolean {
  const wanted = terms.map(({ words, isLast }) => ` ${words.join(' ')}${isLast ? '' : ' '}`);
  return (title) => wanted.every((words) => ` ${title} `.includes(words));
}
