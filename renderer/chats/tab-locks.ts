/** Locks of this tab, by name: what gives each back, as soon as it is known. */
const held = new Map<string, Promise<(() => void) | null>>();

/**
 * Takes a lock that is held until it is given back or this tab goes away, so that two tabs never do the same work.
 * `false` when another tab has it. Where browsers have no locks, every tab gets it.
 */
export async function holdLock(name: string): Promise<boolean> {
  const taken = held.get(name) ?? takeLock(name);
  held.set(name, taken);
  const isHeld = (await taken) !== null;
  if (!isHeld && held.get(name) === taken) held.delete(name);
  return isHeld;
}

/** Gives a lock back; nothing when this tab does not have it. */
export function giveLockBack(name: string): void {
  const taken = held.get(name);
  held.delete(name);
  void taken?.then((release) => release?.());
}

function takeLock(name: string): Promise<(() => void) | null> {
  const unheld = (): void => undefined;
  if (!('locks' in navigator)) return Promise.resolve(unheld);
  return new Promise((resolve) => {
    navigator.locks
      .request(`parley.${name}`, { ifAvailable: true }, (lock) => {
        if (lock !== null) return new Promise<void>((release) => resolve(release));
        resolve(null);
        return undefined;
      })
      .catch(() => resolve(unheld));
  });
}
