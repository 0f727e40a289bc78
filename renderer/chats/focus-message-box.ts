import { tick } from 'svelte';

/** The id of the box in which a message is written. */
export const MESSAGE_BOX_ID = 'message';

/** {@link focusMessageBox}, when the focused element was removed from the page, which at best leaves the focus on the conversation. */
export async function focusMessageBoxIfLost(): Promise<void> {
  await tick();
  const { activeElement } = document;
  const isLost = activeElement === null || activeElement === document.body || activeElement.role === 'log';
  if (isLost) focusMessageBox();
}

/** Focuses the message box. Not on touch screens, where that would open the keyboard. */
export function focusMessageBox(): void {
  if (matchMedia('(pointer: fine)').matches)
    document.getElementById(MESSAGE_BOX_ID)?.focus({ preventScroll: true });
}
