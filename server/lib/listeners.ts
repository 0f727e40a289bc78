/** Functions called each time something happens; none yet. `emit` throws what a listener throws. */
export function createListeners<A extends unknown[]>() {
  const all = new Set<{ listener: (...args: A) => void }>();
  return {
    /** Adds a listener; returns a function that removes it. The same function may be added twice. */
    on: (listener: (...args: A) => void): (() => void) => {
      const entry = { listener };
      all.add(entry);
      return () => void all.delete(entry);
    },
    emit: (...args: A): void => {
      for (const { listener } of [...all]) listener(...args);
    },
    get count(): number {
      return all.size;
    },
  };
}
