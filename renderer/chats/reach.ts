import { tick } from 'svelte';
import { fragmentTo } from '../lib/address.ts';
import { until } from '../lib/until.ts';

const DRAWN_WITHIN_MS = 1_000;

/**
 * Focuses the element with that id within a message of the open chat. If the message is too far out of view to be drawn,
 * scrolls to it first.
 */
export async function scrollToElement(
  elementId: string,
  chatId: string | null,
  messageId: string,
): Promise<void> {
  const find = (): HTMLElement | null => document.getElementById(elementId);
  await tick();
  if (find() === null && chatId !== null) location.hash = fragmentTo({ view: 'chat', chatId, messageId });
  await until(() => find() !== null, DRAWN_WITHIN_MS);
  find()?.focus();
}
