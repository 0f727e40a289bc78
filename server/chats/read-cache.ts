/**
 * Answers to reads, `maxEntries` at most, kept as long as the store stays as it is: a client that polls a chat at rest mostly finds
 * that nothing has changed. Any change of the store forgets them all.
 */
export function createReadCache<T>(store: { readonly version: number }, maxEntries: number) {
  const kept = new Map<string, T>();
  let keptAt = store.version;
  const isCurrent = (): boolean => {
    if (keptAt === store.version) return true;
    kept.clear();
    keptAt = store.version;
    return false;
  };
  return {
    /** The entry with this name, if the store hasn't changed. */
    find: (name: string): T | undefined => (isCurrent() ? kept.get(name) : undefined),
    /** Stores an entry read at this version of the store. */
    keep(name: string, value: T, version: number): void {
      isCurrent();
      if (version !== keptAt) return;
      if (kept.size >= maxEntries) kept.clear();
      kept.set(name, value);
    },
  };
}
