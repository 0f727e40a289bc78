/**
 * An endless script in a frame must not hang the page. Chromium runs frames without an origin in a process of their own. Firefox does so
 * for frames of another site, so the frame is loaded from the service's other name. WebKit has one process for a page and its frames:
 * there, only small texts are shown, and Mermaid, whose parsers can be slow, first reads a diagram in a thread, which can be ended.
 */
import { words } from '../lib/words/index.ts';
import type { SealedKind } from './sealed.ts';

const OTHER_NAME = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
const FRAME_PATH = '/sealed/frame.html';

/** Where the frame is loaded from. */
export const FRAME_ADDRESS = navigator.userAgent.includes('Firefox/')
  ? `http://${OTHER_NAME}:${location.port}${FRAME_PATH}`
  : FRAME_PATH;

const IS_ONE_PROCESS = navigator.vendor.startsWith('Apple');
const MOST_CHARACTERS = 100_000;
const MOST_LINES = 100;
/** Copies of copies in an SVG: each level may multiply them. */
const MOST_COPIES = 20;
const TRIAL_MS = 3_000;

/** Resolves with null, or with the reason why a text can't be shown in this browser. */
export async function whyNotHere(kind: SealedKind, text: string): Promise<string | null> {
  if (!IS_ONE_PROCESS) return null;
  const copies = text.match(/<(?:\w{1,20}:)?use\b/gi)?.length ?? 0;
  const lines = kind === 'mermaid' ? text.split('\n').length : 0;
  if (text.length > MOST_CHARACTERS || lines > MOST_LINES || copies > MOST_COPIES)
    return words.sealed.tooLarge;
  return kind === 'mermaid' ? tryParsing(text) : null;
}

async function tryParsing(text: string): Promise<string | null> {
  const thread = new Worker('/sealed/trial.js');
  try {
    return await new Promise((resolve) => {
      setTimeout(() => resolve(words.sealed.tooLong), TRIAL_MS);
      thread.onerror = () => resolve(words.connection.noAnswer);
      thread.onmessage = ({ data }: MessageEvent<unknown>) => resolve(typeof data === 'string' ? data : null);
      thread.postMessage(text);
    });
  } finally {
    thread.terminate();
  }
}
