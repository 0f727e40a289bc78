/** How many characters at the end of a text may be the beginning of one of these marks, or all of it: what follows decides. */
export function partOfMark(text: string, marks: readonly string[]): number {
  const longest = Math.max(...marks.map(({ length }) => length));
  for (let length = Math.min(text.length, longest); length > 0; length -= 1) {
    const end = text.slice(-length);
    if (marks.some((mark) => mark.startsWith(end))) return length;
  }
  return 0;
}

/** A pattern for any of these marks, for {@link firstMark}. */
export const anyMark = (marks: readonly string[]): RegExp =>
  new RegExp(marks.map((mark) => RegExp.escape(mark)).join('|'), 'g');

/** The first mark in `text`, which follows `before`; null: none. In code, in quotes or between words it is only mentioned. */
export function firstMark(
  pattern: RegExp,
  before: string,
  text: string,
  isLast: boolean,
): { at: number; mark: string } | null {
  for (const { 0: mark, index: at } of text.matchAll(pattern)) {
    const [left, right] = [before + text.slice(0, at), text.slice(at + mark.length)];
    // What follows isn't there yet.
    if (right === '' && !isLast) return null;
    const isMentioned = /["'“‘`(]$/.test(left) || (/[^\S\n]$/.test(left) && /^[^\S\n]/.test(right));
    if (!isMentioned && !isInCode(left)) return { at, mark };
  }
  return null;
}

/** Whether a text ends within code. */
function isInCode(text: string): boolean {
  const fences = text.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0;
  const ticks = text.slice(text.lastIndexOf('\n') + 1).match(/`/g)?.length ?? 0;
  return fences % 2 === 1 || ticks % 2 === 1;
}
