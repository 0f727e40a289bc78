/**
 * An endless script in a frame must not hang the page. Chromium runs frames without an origin in a process of their own. Firefox does so
 * for frames of another site, so the frame is loaded from the service's other name. WebKit has one process for a page and its frames:
 * there, only small texts are shown.
 */
import type { SealedKind } from './sealed.ts';

const OTHER_NAME = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
const FRAME_PATH = '/sealed/frame.html';

/** Where the frame is loaded from. */
export const FRAME_ADDRESS = navigator.userAgent.includes('Firefox/')
  ? `http://${OTHER_NAME}:${location.port}${FRAME_PATH}`
  : FRAME_PATH;

const IS_ONE_PROCESS = navigator.vendor.startsWith('Apple');
const MOST_CHARACTERS: Readonly<Record<SealedKind, number>> = {
  mermaid: 10_000,
  svg: 100_000,
  html: 100_000,
};
const MOST_LINES = 100;
/** Copies of copies in an SVG: each level may multiply them. */
const MOST_COPIES = 20;

/** Whether a text is too large for this browser, which couldn't stop drawing it. */
export function isTooLargeHere(kind: SealedKind, text: string): boolean {
  if (!IS_ONE_PROCESS) return false;
  const copies = text.match(/<(?:\w{1,20}:)?use\b/gi)?.length ?? 0;
  const lines = kind === 'mermaid' ? text.split('\n').length : 0;
  return text.length > MOST_CHARACTERS[kind] || lines > MOST_LINES || copies > MOST_COPIES;
}
