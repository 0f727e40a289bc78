/**
 * Telling of a value that is read from the store, when it has changed and that is on disk. The store says only that
 * something was written, so the value is read again, but not more often than makes sense, and compared.
 */
import type { Store } from '../store/types.ts';

/** What is read, and when two readings are the same. */
export interface WatchOptions<T> {
  store: Pick<Store, 'onChange' | 'settled'>;
  read: () => T;
  isSame: (one: T, other: T) => boolean;
  /** Told of what a listener throws. */
  onError: (error: unknown) => void;
  /** How long changes are gathered. */
  gatherMs?: number;
}

/** A value that can be listened to; as long as nobody does, it costs nothing. */
export interface Watch<T> {
  /** Has the listener told each new value once it is on disk, until what this returns is called. */
  on(listener: (value: T) => void): () => void;
  /** Nobody is told anything any more. */
  close(): void;
}

const GATHER_MS = 50;

/** Watches a value of the store. */
export function createWatch<T>(options: WatchOptions<T>): Watch<T> {
  const { store, read, isSame, onError, gatherMs = GATHER_MS } = options;
  const listeners = new Set<(value: T) => void>();
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let told: { value: T } | null = null;
  /** How often the store went back to what the disk holds: what was read before that may never have been. */
  let returns = 0;
  /** Something was written while a value was on its way to the disk. */
  let isStale = false;

  function consider(): void {
    if (!isClosed) timer ??= setTimeout(() => void compare(), gatherMs).unref();
  }

  async function compare(): Promise<void> {
    try {
      const value = read();
      if (told !== null && !isSame(told.value, value)) {
        const before = returns;
        await store.settled();
        if (before === returns && listeners.size > 0 && !isClosed) tell(value);
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

  function tell(value: T): void {
    told = { value };
    for (const listener of [...listeners]) {
      try {
        listener(value);
      } catch (error) {
        onError(error);
      }
    }
  }

  function end(): void {
    stopListening?.();
    stopListening = null;
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  return {
    on(listener) {
      // Each has its own place, also when the same function listens twice.
      const own = (value: T): void => listener(value);
      if (listeners.size === 0 && !isClosed) {
        told = { value: read() };
        stopListening = store.onChange((change) => {
          if (change === 'went back') returns += 1;
          if (timer !== null) isStale = true;
          consider();
        });
      }
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) end();
      };
    },
    close() {
      isClosed = true;
      listeners.clear();
      end();
    },
  };
}
