/**
 * Answers to reads, kept as long as the store stays as it is: a client that polls a chat at rest mostly finds that nothing
 * has changed. Any change of the store forgets them all.
 */
export interface ReadCache<T> {
  /** What was kept under that name, if the store is still the same. */
  find(name: string): T | undefined;
  /** Keeps what was read when the store had that version. */
  keep(name: string, value: T, version: number): void;
}

/** A cache of so many answers for a store with that version. */
export function createReadCache<T>(store: { readonly version: number }, maxEntries: number): ReadCache<T> {
  const kept = new Map<string, T>();
  let keptAt = store.version;
  const isCurrent = (): boolean => {
    if (keptAt === store.version) return true;
    kept.clear();
    keptAt = store.version;
    return false;
  };
  return {
    find: (name) => (isCurrent() ? kept.get(name) : undefined),
    keep(name, value, version) {
      isCurrent();
      if (version !== keptAt) return;
      if (kept.size >= maxEntries) kept.clear();
      kept.set(name, value);
    },
  };
}
