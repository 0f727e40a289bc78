/** Long blocks of code that a reader has opened, or watched being written: they stay open for this page's life. */
const opened = new Set<string>();
const AT_MOST = 200;

/** Blocks are told apart by their text: it is what comes back when a message is drawn anew. */
export const isOpened = (code: string): boolean => opened.has(code);

export function noteOpened(code: string): void {
  opened.add(code);
  const [oldest] = opened;
  if (opened.size > AT_MOST && oldest !== undefined) opened.delete(oldest);
}
