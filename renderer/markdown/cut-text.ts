const LONGEST_CHARACTERS = 1000;
/** Cut where a line may break if possible. */
const PART = /[^]{1,999}(?:[\s，。！？；、](?!\p{P})|$)|[^]{1000}/gu;

/**
 * A long text in parts of up to 1,000 characters, to be drawn as texts of their own: the browser shapes each by itself, and measures
 * it from its start for every word that is marked in it. One text of 100 kB holds up the page for seconds.
 */
export const cutText = (text: string): readonly string[] =>
  text.length <= LONGEST_CHARACTERS ? [text] : (text.match(PART) ?? []);
