/**
 * Normalises texts for the search on the page: without case, accents and differences of white
 * space, as browsers do. Positions in a normalised text can be mapped back to the text.
 */

/** A normalised text. `places[n]` is the position of its n-th character in the text; null: the same. */
export interface NormalisedText {
  normalised: string;
  places: readonly number[] | null;
}

/** Characters whose length changes, or that need more than lower case. */
const SPECIAL = /[^\x00-\x7f]|\s\s/;
const SPACES = /\s+/y;
const MARKS = /\p{M}/gu;

export function normaliseText(text: string): NormalisedText {
  if (!SPECIAL.test(text)) return { normalised: text.toLowerCase().replace(/\s/g, ' '), places: null };
  let normalised = '';
  const places: number[] = [];
  const add = (piece: string, at: number): void => {
    for (let count = 0; count < piece.length; count += 1) places.push(at);
    normalised += piece;
  };
  for (let at = 0; at < text.length;) {
    SPACES.lastIndex = at;
    const space = SPACES.exec(text)?.[0];
    if (space !== undefined) {
      add(' ', at);
      at += space.length;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    add(normaliseCharacter(character), at);
    at += character.length;
  }
  return { normalised, places };
}

const normaliseCharacter = (character: string): string =>
  character <= '\x7f' ? character.toLowerCase() : character.normalize('NFD').replace(MARKS, '').toLowerCase();

/** The normalised query; empty: nothing to search for. */
export function normaliseQuery(query: string): string {
  const { normalised } = normaliseText(query);
  return normalised.trim() === '' ? '' : normalised;
}

/** Where a normalised query occurs in a normalised text, without overlaps. */
export function placesOf(query: string, normalised: string): number[] {
  const places: number[] = [];
  if (query === '') return places;
  for (let at = normalised.indexOf(query); at !== -1; at = normalised.indexOf(query, at + query.length))
    places.push(at);
  return places;
}

/** The part of the text that such an occurrence covers: its start, and the end (exclusive). */
export function spanOf(
  text: string,
  { normalised, places }: NormalisedText,
  at: number,
  length: number,
): [number, number] {
  if (places === null) return [at, at + length];
  const end = at + length < normalised.length ? places[at + length] : text.length;
  return [places[at] ?? 0, end ?? text.length];
}
