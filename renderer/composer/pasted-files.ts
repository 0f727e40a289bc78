import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { countCharacters } from '../lib/count-characters.ts';
import { words } from '../lib/words/index.ts';
import type { Workbench } from '../session/workbench.svelte.ts';

/** How long a paste may hold the page up, and then each key in one of its lines, in milliseconds; it may take a little longer than estimated. */
const MOST_MS = 175;
const MOST_MS_OF_LINE = 60;
/** What the window's own font lacks, in pieces that take about as long: words, or some letters of a longer one. */
const OTHER_FONT = /[^\0-\xff\u2000-\u206f]{1,4}/g;

/** How long Chromium takes to lay out a line in a box, as measured: it grows with each change of fonts, and with that in long lines. */
function layoutMs({ length }: string, pieces: number): number {
  return 0.04 + length * 0.0005 + pieces * (0.011 + length * 0.0000022);
}

/** Whether no message can hold a text, or a box with it would hold the page up. */
export function isTooMuch(text: string): boolean {
  if (text.length > MAX_CONTENT_CHARACTERS && countCharacters(text) > MAX_CONTENT_CHARACTERS) return true;
  const lines = text.split('\n').map((line) => layoutMs(line, line.match(OTHER_FONT)?.length ?? 0));
  return lines.some((ms) => ms > MOST_MS_OF_LINE) || lines.reduce((sum, ms) => sum + ms, 0) > MOST_MS;
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
