import { hasUnindexedMessages, indexNextMessages } from '../store/search-index-repository.ts';
import type { Store } from '../store/types.ts';

/** Keeps the search index close behind the messages. */
export interface SearchIndexer {
  /** Resolves when every message there is now can be found, or the store refuses to be written. Never rejects. */
  catchUp(): Promise<void>;
  /** Stops; what is left is done after the next start. */
  close(): void;
}

/** How often the index is brought up to date, unless a search asks for it sooner. */
const INTERVAL_MS = 2_000;
/** Messages indexed in one transaction: a millisecond or two of the event loop. */
const BATCH_MESSAGES = 200;

/** An indexer that works by itself, in the background, until it is closed. */
export function createSearchIndexer(store: Store): SearchIndexer {
  let running: Promise<void> | null = null;
  let isClosed = false;
  const hasClosed = (): boolean => isClosed;

  async function run(): Promise<void> {
    try {
      while (!hasClosed() && store.read(hasUnindexedMessages)) {
        await store.write((writer) => indexNextMessages(writer, BATCH_MESSAGES));
      }
    } catch {
      // The store refuses: what is indexed can be searched, and the next round tries again.
    }
  }

  function catchUp(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  const timer = setInterval(() => void catchUp(), INTERVAL_MS).unref();
  return {
    catchUp,
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
