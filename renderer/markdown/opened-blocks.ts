/** Long blocks of code that a reader has expanded, or watched being written: they stay expanded until the page is reloaded. */
const opened = new Set<string>();
const AT_MOST = 200;

/** Blocks are recognised by their text: nothing else stays the same when a message is drawn again. */
export const isOpened = (code: string): boolean => opened.has(code);

export function noteOpened(code: string): void {
  opened.add(code);
  const [oldest] = opened;
  if (opened.size > AT_MOST && oldest !== undefined) opened.delete(oldest);
}
