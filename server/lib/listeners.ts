/** Functions called each time something happens. */
export interface Listeners<A extends unknown[]> {
  /** Adds a listener; returns a function that removes it. The same function may be added twice. */
  on: (listener: (...args: A) => void) => () => void;
  tell: (...args: A) => void;
  readonly count: number;
}

/** Without listeners yet. `tell` throws what a listener throws. */
export function createListeners<A extends unknown[]>(): Listeners<A> {
  const all = new Set<{ listener: (...args: A) => void }>();
  return {
    on(listener) {
      const entry = { listener };
      all.add(entry);
      return () => void all.delete(entry);
    },
    tell(...args) {
      for (const { listener } of [...all]) listener(...args);
    },
    get count() {
      return all.size;
    },
  };
}
