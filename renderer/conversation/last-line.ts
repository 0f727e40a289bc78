/** So much of a text's end is looked at: it grows many times a second. */
const LOOKED_AT_CHARACTERS = 600;
/** Marks that begin a line of Markdown; in a line by itself they say nothing. */
const MARKS = /^(?:#{1,6}\s+|>\s*|[-*+]\s+)+/;

/** The last line of a text that has something in it, plain and in one piece; empty when there is none. */
export function lastLine(text: string): string {
  const lines = text.slice(-LOOKED_AT_CHARACTERS).split('\n');
  const line = lines.findLast((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? '';
  return line
    .trim()
    .replace(MARKS, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();
}
