import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader, RowLimit, Store, Writer } from './types.ts';

/** How much is read or written in one go: a few milliseconds of the event loop. */
export const PIECE_ROWS = 100;
export const PIECE_BYTES = 128 * 1024;
export const PIECE: RowLimit = { rows: PIECE_ROWS, characters: PIECE_BYTES };

/** About how long one slice of long work takes; everything else waits for it. */
const SLICE_MS = 3;

let last = Promise.resolve();

/**
 * Yields to the event loop. Only one waiting caller resumes per turn of the loop, so that many of them don't block
 * others.
 */
export const breathe = (): Promise<void> => (last = last.then(() => nextTurn()));

/**
 * Reads in slices: `work` yields often, and the event loop is free whenever a slice has taken long enough. The store may change in
 * between.
 */
export async function readInSlices<T>(
  store: Pick<Store, 'read'>,
  work: (reader: Reader) => Generator<void, T>,
): Promise<T> {
  const steps = store.read(work);
  for (;;) {
    const deadline = performance.now() + SLICE_MS;
    const step = store.read(() => {
      for (;;) {
        const next = steps.next();
        if (next.done === true || performance.now() >= deadline) return next;
      }
    });
    if (step.done === true) return step.value;
    await breathe();
  }
}

/** The result of such work in one go: only for what is short. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Writes in slices: one transaction after another, each for as many items as the time allows. */
export async function writeInSlices<T>(
  store: Pick<Store, 'write'>,
  items: readonly T[],
  work: (writer: Writer, item: T) => void,
): Promise<void> {
  let done = 0;
  while (done < items.length) {
    await store.write((writer) => {
      const deadline = performance.now() + SLICE_MS;
      do {
        work(writer, items[done] as T);
        done += 1;
      } while (done < items.length && performance.now() < deadline);
    });
  }
}

/** For long work without a store's rows: resolves at once, or when the event loop was free if that is due. */
export function createPause(): () => Promise<void> {
  let deadline = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < deadline) return;
    await breathe();
    deadline = performance.now() + SLICE_MS;
  };
}

/** Size of a message in bytes; most have neither steps nor reasoning. */
export const MESSAGE_BYTES =
  'octet_length(content) + coalesce(octet_length(steps), 0) + coalesce(octet_length(reasoning), 0) + coalesce(octet_length(rounds), 0)';
