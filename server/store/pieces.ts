import { setImmediate as nextTurn } from 'node:timers/promises';

/** How much is read or written in one go: a few milliseconds of the event loop. */
export const PIECE_ROWS = 100;
export const PIECE_BYTES = 128 * 1024;

/** Lets others have the event loop for a turn. */
export async function breathe(): Promise<void> {
  await nextTurn();
}
