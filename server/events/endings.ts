/** What has begun and not been ended yet: listeners, each ended by its own, or all together. */
export interface Endings {
  /** Keeps a way to end something; what it returns does that, once. */
  keep(end: () => void): () => void;
  endAll(): void;
}

/** Nothing is kept at first. */
export function createEndings(): Endings {
  const ends = new Set<() => void>();
  return {
    keep(end) {
      const once = (): void => {
        if (ends.delete(once)) end();
      };
      ends.add(once);
      return once;
    },
    endAll() {
      for (const end of ends) end();
    },
  };
}
