import { setImmediate as nextTurn } from 'node:timers/promises';

/** How much is read or written in one go: a few milliseconds of the event loop. */
export const PIECE_ROWS = 100;
export const PIECE_BYTES = 128 * 1024;

let last = Promise.resolve();

/** Gives others a turn of the event loop. One of those who wait here goes on in each turn, so that many of them hold nobody up. */
export const breathe = (): Promise<void> => (last = last.then(() => nextTurn()));
