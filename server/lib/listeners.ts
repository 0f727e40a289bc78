/** Functions that are told something each time it happens. */
export interface Listeners<A extends unknown[]> {
  /** Has the listener told, until what this returns is called. The same function may listen twice. */
  on: (listener: (...args: A) => void) => () => void;
  tell: (...args: A) => void;
  readonly count: number;
}

/** Nobody listens yet. What a listener throws, `tell` throws. */
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
