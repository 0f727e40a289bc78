import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { countCharacters } from '../lib/count-characters.ts';
import { words } from '../lib/words/index.ts';
import type { Workbench } from '../session/workbench.svelte.ts';

/** To Chromium each line of a box is elements of its own: laying out many more takes it over 200 ms. */
const MOST_LINES = 3_000;
/** The time that emoji take grows with how many there are on a line and with its length. */
const MOST_EMOJI = 2_000;
/** In characters. With each key Chromium lays out a line in Arabic, Hindi or Thai again, in quadratic time: 100,000 take it seconds. */
const LONGEST_LINE = 10_000;

/** No message can hold it, or a box with it would hold the page up. */
function isTooMuch(text: string): boolean {
  if (text.length > MAX_CONTENT_CHARACTERS && countCharacters(text) > MAX_CONTENT_CHARACTERS) return true;
  const lines = text.split('\n');
  if (lines.length > MOST_LINES || (text.match(/\p{Extended_Pictographic}/gu) ?? []).length > MOST_EMOJI)
    return true;
  return lines.some((line) => line.length > LONGEST_LINE && /[\u0590-\u1cff]/.test(line));
}

/**
 * Attaches what is pasted, if it is files or too much text for a box. Files with text beside them, as from spreadsheets, are pasted as
 * that text.
 */
export function attachPasted(
  event: ClipboardEvent,
  toasts: Workbench['toasts'],
  attach: (files: readonly File[]) => void,
): void {
  const { clipboardData } = event;
  const text = clipboardData?.getData('text/plain') ?? '';
  const files = clipboardData?.types.includes('text/plain') === false ? [...clipboardData.files] : [];
  if (isTooMuch(text)) {
    attach([new File([text], words.files.pastedName, { type: 'text/plain' })]);
    toasts.show({ text: words.files.pasted });
  } else if (files.length > 0) attach(files);
  else return;
  event.preventDefault();
}
