/**
 * Reports a value read from the store, once it has changed and the change is on disk. The store only reports that
 * something was written, so the value is read again, though not too often, and compared.
 */
import { isDeepStrictEqual } from 'node:util';
import { createListeners } from '../lib/listeners.ts';
import type { Store } from '../store/types.ts';

/** How long changes are collected. */
const GATHER_MS = 50;

/** Watches a value of the store; `onError` gets what a listener throws. Without listeners it costs nothing. */
export function createWatch<T>({
  store,
  read,
  onError,
}: {
  store: Pick<Store, 'onChange' | 'settled'>;
  read: () => T;
  onError: (error: unknown) => void;
}) {
  const listeners = createListeners<[value: T]>();
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let last: { value: T } | null = null;
  /** How often the store returned to what the disk holds: values read before that may not be true any more. */
  let returns = 0;
  /** Something was written while a value was being synced. */
  let isStale = false;

  function consider(): void {
    if (!isClosed) timer ??= setTimeout(() => void compare(), GATHER_MS).unref();
  }

  async function compare(): Promise<void> {
    try {
      const value = read();
      if (last !== null && !isDeepStrictEqual(last.value, value)) {
        const before = returns;
        await store.settled();
        if (before === returns && listeners.count > 0 && !isClosed) {
          last = { value };
          listeners.emit(value);
        }
      }
    } catch (error) {
      if (!isClosed) onError(error);
    } finally {
      timer = null;
    }
    if (isStale) {
      isStale = false;
      consider();
    }
  }

  function end(): void {
    stopListening?.();
    stopListening = null;
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  return {
    /** Calls the listener with each new value once it is on disk; returns a function that unsubscribes. */
    on(listener: (value: T) => void): () => void {
      if (listeners.count === 0 && !isClosed) {
        last = { value: read() };
        stopListening = store.onChange((change) => {
          if (change === 'went back') returns += 1;
          if (timer !== null) isStale = true;
          consider();
        });
      }
      const stop = listeners.on((value) => {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      });
      return () => {
        stop();
        if (listeners.count === 0) end();
      };
    },
    /** Removes all listeners. */
    close(): void {
      isClosed = true;
      end();
    },
  };
}
