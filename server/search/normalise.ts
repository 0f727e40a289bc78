/**
 * Words as the search index splits them (the tokenizer unicode61): runs of letters and digits, in lower case and without
 * diacritics. Scripts without spaces have no such runs; there, any run of characters is searched for.
 */
import { MAX_QUERY_CHARACTERS } from '../../shared/limits.ts';

const MARKS = /\p{M}/gu;
const WORDS = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
const HAS_WORD = /[\p{L}\p{N}\p{Co}]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const ASCII = /^[\x00-\x7f]*$/;

/** How many words of a query count, from the first: each costs a walk through all messages that contain it. */
const MAX_WORDS = 16;
/** A shorter word only matches itself: looking up all words that begin with two letters takes too long. */
const MIN_PREFIX_CHARACTERS = 3;

/** Lower case and without diacritics; the length may change. */
export function normalise(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(MARKS, '').toLowerCase();
}

/** The words of a text and where they start, as written. */
export function* wordsWithin(text: string): Generator<{ word: string; start: number }> {
  for (const { 0: word, index } of text.matchAll(WORDS)) yield { word, start: index };
}

/** Something that must occur: what a person typed between two white spaces. */
export interface Term {
  /** As it was typed. */
  text: string;
  /** Its words, as they were typed; several must be adjacent. At least one. */
  words: string[];
  /** The same, normalised. */
  normalised: string[];
  /** It was typed last, so its last word may be unfinished. */
  isLast: boolean;
}

/** What to look for: each term once, in the order typed, with 16 words at most. Nothing a person types is an operator. */
export function queryTerms(query: string): Term[] {
  const pieces = query
    .slice(0, MAX_QUERY_CHARACTERS * 2)
    .toWellFormed()
    .normalize('NFC')
    .split(/[\s\p{Cc}]+/u)
    .filter((piece) => HAS_WORD.test(piece));
  const terms = new Map<string, Term>();
  let room = MAX_WORDS;
  for (const [index, text] of pieces.entries()) {
    if (room === 0) break;
    const words = (text.match(WORDS) ?? []).filter((word) => HAS_WORD.test(word)).slice(0, room);
    const normalised = words.map(normalise);
    const name = normalised.join(' ');
    if (terms.has(name)) continue;
    terms.set(name, { text, words, normalised, isLast: index === pieces.length - 1 });
    room -= words.length;
  }
  return [...terms.values()];
}

const mayBeStart = ({ words, isLast }: Term): boolean =>
  isLast && Array.from(words.at(-1) ?? '').length >= MIN_PREFIX_CHARACTERS;

/** The terms for the search index (FTS4): each a phrase of its words, so that "don't" is searched for as it is. */
export const matchExpression = (terms: readonly Term[]): string =>
  terms.map((term) => `"${term.words.join(' ')}${mayBeStart(term) ? '*' : ''}"`).join(' ');

/** Tells whether a normalised word is one of the terms' words. */
export function wordMatcher(terms: readonly Term[]): (word: string) => boolean {
  const whole = new Set(terms.flatMap(({ normalised }) => normalised));
  const start = terms.find(mayBeStart)?.normalised.at(-1);
  return (word) => whole.has(word) || (start !== undefined && word.startsWith(start));
}

/** Whether the text holds writing that has no spaces between words. */
export const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/** Whether a normalised title holds all the terms; the last word may be the start of a word. */
export function titleMatcher(terms: readonly Term[]): (normalisedTitle: string) => boolean {
  if (terms.some(({ text }) => isUnspaced(text))) {
    const wanted = terms.map(({ text }) => normalise(text));
    return (title) => wanted.every((piece) => title.includes(piece));
  }
  const whole = terms.flatMap(({ normalised, isLast }) => (isLast ? normalised.slice(0, -1) : normalised));
  const start = terms.find(({ isLast }) => isLast)?.normalised.at(-1) ?? '';
  return (title) => {
    const words: readonly string[] = title.match(WORDS) ?? [];
    return whole.every((word) => words.includes(word)) && words.some((word) => word.startsWith(start));
  };
}
