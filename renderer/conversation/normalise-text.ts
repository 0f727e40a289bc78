/**
 * Normalises texts for the search on the page: as the search of all chats does, and without differences of white space. Positions in a normalised text can be mapped back to the text.
 */

import { CLUSTER, normalise } from '../../shared/search-text.ts';

/** A character whose normalised form has another length, with the range it covers in either text. */
interface Uneven {
  start: number;
  end: number;
  normalisedStart: number;
  normalisedEnd: number;
}

/** A normalised text, and its uneven characters in order; all others have length 1 in both texts. */
export interface NormalisedText {
  normalised: string;
  uneven: readonly Uneven[];
}

/** Characters whose length changes, or that need more than lower case. */
const SPECIAL = /[^\x00-\x7f]|\s\s/;
// A byte order mark inside a word isn't white space.
const SPACES = '[^\\S\\ufeff]+';
const PIECES = new RegExp(`${SPACES}|${CLUSTER.source}`, 'gu');
const SPACE = new RegExp(`^${SPACES}`, 'u');

export function normaliseText(text: string): NormalisedText {
  if (!SPECIAL.test(text)) return { normalised: text.toLowerCase().replace(/\s/g, ' '), uneven: [] };
  let normalised = '';
  const uneven: Uneven[] = [];
  // A long text repeats the same few pieces.
  const knownPieces = new Map<string, string>();
  for (const { 0: piece, index: start } of text.matchAll(PIECES)) {
    const normalisedStart = normalised.length;
    let known = knownPieces.get(piece);
    if (known === undefined) knownPieces.set(piece, (known = SPACE.test(piece) ? ' ' : normalise(piece)));
    normalised += known;
    const normalisedEnd = normalised.length;
    if (piece.length > 1 || normalisedEnd !== normalisedStart + 1)
      uneven.push({ start, end: start + piece.length, normalisedStart, normalisedEnd });
  }
  return { normalised, uneven };
}

/** The normalised query; empty: nothing to search for. */
export function normaliseQuery(query: string): string {
  const { normalised } = normaliseText(query);
  return normalised.trim() === '' ? '' : normalised;
}

/**
 * Where a normalised query occurs in a text: the start and the end (exclusive) of each match, in one flat list. Matches cover whole
 * characters and don't overlap: `s` is found once in `ß`, and covers all of it.
 */
export function findMatches(query: string, { normalised, uneven }: NormalisedText): number[] {
  const bounds: number[] = [];
  const isFlag = /^\p{RI}/u.test(query);
  let [passed, drift, from] = [0, 0, 0];
  /** The next uneven character at or after that position. `drift` is then how much longer the text is than its normalised form up to there. */
  const next = (at: number): Uneven | undefined => {
    for (let character; (character = uneven[passed]) && character.normalisedEnd <= at; passed += 1)
      drift = character.end - character.normalisedEnd;
    return uneven[passed];
  };
  for (
    let at = query === '' ? -1 : normalised.indexOf(query);
    at !== -1;
    at = normalised.indexOf(query, from)
  ) {
    const first = next(at);
    const isInFirst = first !== undefined && first.normalisedStart <= at;
    // Between two flags, the halves of both look like another flag.
    if (isFlag && isInFirst && first.normalisedStart < at) {
      from = at + 1;
      continue;
    }
    const start = isInFirst ? first.start : at + drift;
    from = at + query.length;
    const last = next(from);
    const isInLast = last !== undefined && last.normalisedStart < from;
    if (isInLast) from = last.normalisedEnd;
    bounds.push(start, isInLast ? last.end : from + drift);
  }
  return bounds;
}
