/**
 * A name that a person gave, as it is stored: one line, without white space around it, control characters or broken
 * surrogates. `null` when nothing is left of it.
 */
export function cleanName(text: string): string | null {
  const name = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return name === '' ? null : name;
}
