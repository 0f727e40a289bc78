import { setImmediate as nextTurn } from 'node:timers/promises';

/** How much is read or written in one go: a few milliseconds of the event loop. */
export const PIECE_ROWS = 100;
export const PIECE_BYTES = 128 * 1024;

let last = Promise.resolve();

/** Lets others have the event loop for a turn. Of all who go piece by piece one goes on in each turn, so that many hold nobody up. */
export const breathe = (): Promise<void> => (last = last.then(() => nextTurn()));
