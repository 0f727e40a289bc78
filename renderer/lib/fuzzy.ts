/**
 * Fuzzy search. Each word of the query must match: best at the start of a word, next inside one, and last as
 * letters in order that start words or stand together (`nc` finds "New chat", `xprt` finds "Export").
 */

const EXACT = 100;
const STARTS_TEXT = 80;
const STARTS_WORD = 60;
const INSIDE = 30;
const LETTERS = 10;
/** No match. */
const NONE = -Infinity;
/** Shorter queries aren't matched as letters in order. */
const MIN_LETTERS = 2;

/** Lower case, without accents. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

const isWordStart = (text: string, at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');

/** How well the query's words match a text: higher is better, `-Infinity` is no match. An empty query matches everything, with 0. */
export function fuzzyScore(query: string, text: string): number {
  const sought = plain(query).trim();
  if (sought === '') return 0;
  const held = plain(text);
  if (held === sought) return EXACT + STARTS_TEXT;
  if (held.startsWith(sought)) return STARTS_TEXT + closeness(sought, held);
  const score = scoreWords(sought, held);
  return score === NONE ? lettersOf(sought.replace(/\s+/g, ''), held) : score + closeness(sought, held);
}

/** Of two texts that match equally, the shorter is more likely meant; always less than the difference between two kinds of match. */
const closeness = (sought: string, held: string): number => (10 * sought.length) / Math.max(held.length, 1);

/** The average score if each word is found as it is. Letters in order don't count. */
function scoreWords(sought: string, held: string): number {
  const parts = sought.split(/\s+/);
  return parts.reduce((sum, part) => sum + scorePart(part, held), 0) / parts.length;
}

function scorePart(part: string, held: string): number {
  let inside = NONE;
  for (let at = held.indexOf(part); at !== -1; at = held.indexOf(part, at + 1)) {
    if (isWordStart(held, at)) return STARTS_WORD;
    inside = INSIDE;
  }
  return inside;
}

/** The query as letters in order, each starting a word or right after the one before; at most one gap inside a word per letter. */
function lettersOf(sought: string, held: string): number {
  if (sought.length < MIN_LETTERS) return NONE;
  let at = -1;
  let starts = 0;
  let jumps = 0;
  for (const letter of sought) {
    const next = nextLetter(letter, held, at);
    if (next === -1) return NONE;
    if (isWordStart(held, next)) starts += 1;
    else if (next !== at + 1) jumps += 1;
    at = next;
  }
  // Letters that only happen to occur somewhere mean nothing.
  if (jumps > sought.length / 2 || starts === 0) return NONE;
  return LETTERS + (10 * starts) / sought.length - jumps;
}

/** Right after, else at the start of a later word, else anywhere later. */
function nextLetter(letter: string, held: string, after: number): number {
  if (held[after + 1] === letter && after !== -1) return after + 1;
  for (let at = held.indexOf(letter, after + 1); at !== -1; at = held.indexOf(letter, at + 1))
    if (isWordStart(held, at)) return at;
  return held.indexOf(letter, after + 1);
}

/** Something that can be found by a name, and by other words that count less. */
export interface Findable {
  label: string;
  keywords?: string;
}

/** The items that match the query, best first; equal matches keep their order. */
export function rankEntries<T extends Findable>(query: string, entries: readonly T[]): T[] {
  return entries
    .map((entry) => ({ entry, score: scoreOf(query, entry) }))
    .filter(({ score }) => score !== NONE)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function scoreOf(query: string, { label, keywords }: Findable): number {
  const byLabel = fuzzyScore(query, label);
  if (byLabel >= INSIDE || keywords === undefined) return byLabel;
  return Math.max(byLabel, scoreWords(plain(query).trim(), plain(`${label} ${keywords}`)) / 2);
}
