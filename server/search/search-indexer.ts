import { hasUnindexedMessages, indexNextMessages } from '../store/search-index-repository.ts';
import { listTitlesToNormalise, updateNormalisedTitle } from '../store/title-repository.ts';
import type { Store } from '../store/types.ts';
import { joinedWords } from '../../shared/search-text.ts';

/** How often the index is brought up to date, unless a search asks for it sooner. */
const INTERVAL_MS = 2_000;
/** How much is indexed in one transaction: a few milliseconds of the event loop. */
const BATCH = { messages: 100, bytes: 24 * 1024 };
const BATCH_TITLES = 500;

/** Keeps the search index up to date with messages and chat titles. */
export type SearchIndexer = ReturnType<typeof createSearchIndexer>;

/** An indexer that works by itself, in the background, until it is closed. */
export function createSearchIndexer(store: Store) {
  let running: Promise<void> | null = null;
  let isClosed = false;
  const hasClosed = (): boolean => isClosed;

  async function run(): Promise<void> {
    try {
      while (!hasClosed() && store.read(hasUnindexedMessages)) {
        await store.write((writer) => indexNextMessages(writer, BATCH));
      }
      while (!hasClosed() && (await normaliseTitles())) await new Promise(setImmediate);
    } catch {
      // The store refuses: what is indexed can still be searched, and the next round tries again.
    }
  }

  /** Normalises the next titles; false when there are none. */
  async function normaliseTitles(): Promise<boolean> {
    const titles = store.read((reader) => listTitlesToNormalise(reader, BATCH_TITLES));
    if (titles.length === 0) return false;
    await store.write((writer) => {
      for (const { id, title } of titles) updateNormalisedTitle(writer, id, joinedWords(title));
    });
    return true;
  }

  /** Resolves when every message and title there is now can be found, or the store refuses to be written. Never rejects. */
  function catchUp(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  const timer = setInterval(() => void catchUp(), INTERVAL_MS).unref();
  return {
    catchUp,
    /** Stops; what is left is done after the next start. */
    close(): void {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
