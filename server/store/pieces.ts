import { setImmediate as nextTurn } from 'node:timers/promises';

/** How much is read or written in one go: a few milliseconds of the event loop. */
export const PIECE_ROWS = 100;
export const PIECE_BYTES = 128 * 1024;

let last = Promise.resolve();

/**
 * Yields to the event loop. Only one waiting caller resumes per turn of the loop, so that many of them don't block
 * others.
 */
export const breathe = (): Promise<void> => (last = last.then(() => nextTurn()));
