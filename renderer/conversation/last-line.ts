/** Only this much of the end is read, in characters: the text grows many times a second. */
const CHECKED_CHARACTERS = 600;
/** Markdown marks at the start of a line; alone they say nothing. */
const MARKS = /^(?:#{1,6}\s+|>\s*|[-*+]\s+)+/;

/** The last non-empty line of a text, as plain text; empty when there is none. */
export function lastLine(text: string): string {
  const lines = text.slice(-CHECKED_CHARACTERS).split('\n');
  const line = lines.findLast((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? '';
  return line
    .trim()
    .replace(MARKS, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();
}
