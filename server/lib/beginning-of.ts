/** The beginning of a text, of so many UTF-16 code units at most, with no character cut in two. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return text.slice(0, Math.max(0, isSplit ? most - 1 : most));
}
