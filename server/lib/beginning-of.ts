/** The beginning of a text, at most this many UTF-16 code units, with no character cut in two. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return text.slice(0, Math.max(0, isSplit ? most - 1 : most));
}
