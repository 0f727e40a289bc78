/** Keyboard moves in the search results; `open`: straight to the best one. */
export type ResultMove = 'first' | 'next' | 'previous' | 'last' | 'open';

/** Moves the focus from an element of the sidebar. From the first result `previous` leads back to the search box. */
export function moveInResults(from: HTMLElement, move: ResultMove): void {
  const sidebar = from.closest('nav');
  const results = [...(sidebar?.querySelectorAll<HTMLElement>('[data-result]') ?? [])];
  const at = results.findIndex((result) => result === document.activeElement);
  if (move === 'open') results[0]?.click();
  else if (move === 'first') results[0]?.focus();
  else if (move === 'last') results.at(-1)?.focus();
  else if (move === 'next') results[at + 1]?.focus();
  else if (at > 0) results[at - 1]?.focus();
  else sidebar?.querySelector<HTMLElement>('input[type=search]')?.focus();
}
