import { tick } from 'svelte';

/**
 * Waits for something that may disable or remove the focused control. If that loses the focus, it goes back to the
 * control, or if that is gone to the first one in its list, else in its part of the page. A person who has moved on
 * meanwhile stays there.
 */
export async function keepFocus(
  work: Promise<unknown>,
  from = document.activeElement,
  part = from?.closest('section'),
): Promise<void> {
  const list = from?.closest('ul');
  await work;
  await tick();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const controls = ':is(button, input):enabled:not([hidden])';
  const inList = list?.isConnected === true ? list.querySelector(controls) : null;
  const first = inList ?? part?.querySelector(controls) ?? part?.querySelector('[tabindex="-1"]');
  const to = from?.isConnected === true && from !== document.body ? from : first;
  if (to instanceof HTMLElement) to.focus();
}
