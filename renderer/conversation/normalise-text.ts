/**
 * Normalises texts for the search on the page: as the search of all chats does, and without differences of white space. Positions in a normalised text can be mapped back to the text.
 */

import { CLUSTER, normalise } from '../../shared/search-text.ts';

/** A normalised text. `places[n]` is the position of its n-th character in the text; null: the same. */
export interface NormalisedText {
  normalised: string;
  offsets: readonly number[] | null;
}

/** Characters whose length changes, or that need more than lower case. */
const SPECIAL = /[^\x00-\x7f]|\s\s/;
const PIECES = new RegExp(`\\s+|${CLUSTER.source}`, 'gu');

export function normaliseText(text: string): NormalisedText {
  if (!SPECIAL.test(text)) return { normalised: text.toLowerCase().replace(/\s/g, ' '), offsets: null };
  let normalised = '';
  const offsets: number[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const comparable = /^\s/.test(piece) ? ' ' : normalise(piece);
    for (let count = 0; count < comparable.length; count += 1) offsets.push(index);
    normalised += comparable;
  }
  return { normalised, offsets };
}

/** The normalised query; empty: nothing to search for. */
export function normaliseQuery(query: string): string {
  const { normalised } = normaliseText(query);
  return normalised.trim() === '' ? '' : normalised;
}

/** Where a normalised query occurs in a normalised text, without overlaps. */
export function offsetsOf(query: string, normalised: string): number[] {
  const offsets: number[] = [];
  if (query === '') return offsets;
  for (let at = normalised.indexOf(query); at !== -1; at = normalised.indexOf(query, at + query.length))
    offsets.push(at);
  return offsets;
}

/** The part of the text that such an occurrence covers: its start, and the end (exclusive). */
export function spanOf(
  text: string,
  { normalised, offsets }: NormalisedText,
  at: number,
  length: number,
): [number, number] {
  if (offsets === null) return [at, at + length];
  const end = at + length < normalised.length ? offsets[at + length] : text.length;
  return [offsets[at] ?? 0, end ?? text.length];
}
