import { tick } from 'svelte';

/**
 * Waits for something that may disable or remove the control it was begun with. If the focus is lost by that, it goes back to that
 * control, or where it is gone to the first one in its part of the page. A reader who has gone on elsewhere stays there.
 */
export async function keepFocus(
  work: Promise<unknown>,
  from = document.activeElement,
  part = from?.closest('section'),
): Promise<void> {
  await work;
  await tick();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const controls = ':is(button, input):enabled:not([hidden])';
  const first = part?.querySelector(controls) ?? part?.querySelector('[tabindex="-1"]');
  const to = from?.isConnected === true && from !== document.body ? from : first;
  if (to instanceof HTMLElement) to.focus();
}
