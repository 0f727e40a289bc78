import { tick } from 'svelte';

/**
 * Waits for something that disables or removes the control it was begun with, and gives the focus back: to that control,
 * or to `instead` where it is gone. Nothing happens when the reader has gone on to something else meanwhile.
 */
export async function giveFocusBack(
  work: Promise<unknown>,
  from: Element | null,
  instead: () => { focus: () => void } | undefined,
): Promise<void> {
  await work;
  await tick();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const to = from instanceof HTMLElement && from.isConnected ? from : instead();
  to?.focus();
}
