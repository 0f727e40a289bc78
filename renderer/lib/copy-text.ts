import { onMac } from './platform.ts';
import { words } from './words/index.ts';

/** Copies a text; resolves with whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** What to say when a text couldn't be copied and is selected instead. */
export const copyYourself = words.code.copyFailed(onMac ? '⌘C' : 'Ctrl+C');

/** Selects what an element shows, so that a person can copy it with the keyboard. */
export function selectContents(element: Element): void {
  const selection = getSelection();
  selection?.removeAllRanges();
  const range = document.createRange();
  range.selectNodeContents(element);
  selection?.addRange(range);
}
