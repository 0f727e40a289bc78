const held = new Set<string>();

/**
 * Takes a lock that is held until this tab goes away, so that two tabs never do the same work.
 * `false` when another tab has it. Where browsers have no locks, every tab gets it.
 */
export function holdLock(name: string): Promise<boolean> {
  if (held.has(name) || !('locks' in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks
      .request(`parley.${name}`, { ifAvailable: true }, (lock) => {
        if (lock) held.add(name);
        resolve(lock !== null);
        return lock ? new Promise<void>(() => undefined) : undefined;
      })
      .catch(() => resolve(true));
  });
}
