/**
 * At most `maxEntries` results of reads, kept until the store changes: a client that polls an idle chat mostly finds that
 * nothing has changed.
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
