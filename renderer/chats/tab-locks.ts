/** Locks held by one tab at a time, among all tabs of this origin. */

type Release = () => void;

/** This tab's locks by name, each with the function that releases it, as soon as that is known. */
const held = new Map<string, Promise<Release | null>>();

/**
 * Takes a lock and holds it until it is released or this tab closes, so that two tabs never do the same work.
 * `false` when another tab has it. If the browser has no locks, every tab gets it.
 */
export async function holdLock(name: string): Promise<boolean> {
  const taken = held.get(name) ?? tryLock(name).catch(() => freely);
  held.set(name, taken);
  const isHeld = (await taken) !== null;
  if (!isHeld && held.get(name) === taken) held.delete(name);
  return isHeld;
}

/** Releases a lock; does nothing when this tab doesn't have it. */
export function giveLockBack(name: string): void {
  const taken = held.get(name);
  held.delete(name);
  void taken?.then((release) => release?.());
}

/**
 * Browsers allow six connections at once to a page's host, over all tabs together. Streams hold theirs for long, so only a
 * few tabs may have one, or requests would wait behind them forever.
 */
const MAX_STREAMS = 3;

/** Takes a slot for a stream; null when other tabs have them all. Returns a function that releases it. */
export async function takeStreamSlot(): Promise<Release | null> {
  for (let slot = 1; slot <= MAX_STREAMS; slot += 1) {
    const release = await tryLock(`stream.${slot}`).catch(() => null);
    if (release !== null) return release;
  }
  return null;
}

const freely: Release = () => undefined;

/** Null when another tab has it. Rejects where the browser refuses its locks. */
async function tryLock(name: string): Promise<Release | null> {
  // Pages that aren't a secure context have no locks, so nothing can be counted.
  if (!('locks' in navigator)) return freely;
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`parley.${name}`, { ifAvailable: true }, (lock) => {
        if (lock !== null) return new Promise<void>((release) => resolve(release));
        resolve(null);
        return undefined;
      })
      .catch(reject);
  });
}
