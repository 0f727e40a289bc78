/** As much of IndexedDB as the page uses: one store, of which everything is kept as it is. */
import { afterEach, beforeEach, vi } from 'vitest';

/** What a browser keeps, for tests. */
export interface TestDatabase {
  /** What stands under a name. */
  read(name: string): unknown;
}

/** Gives each test of a file an empty one. */
export function useTestDatabase(): TestDatabase {
  let kept = new Map<string, unknown>();
  const request = (result: unknown): { onsuccess?: () => void; result: unknown } => {
    const asked: { onsuccess?: () => void; result: unknown } = { result };
    setTimeout(() => asked.onsuccess?.());
    return asked;
  };
  const store = {
    get: (name: string) => request(kept.get(name)),
    put: (value: unknown, name: string) => request(void kept.set(name, value)),
  };
  const database = { transaction: () => ({ objectStore: () => store }), close: () => undefined };
  beforeEach(() => {
    kept = new Map();
    vi.stubGlobal('indexedDB', { open: () => request(database) });
  });
  afterEach(() => void vi.unstubAllGlobals());
  return { read: (name) => kept.get(name) };
}
