/** Locks that are held by one tab at a time, of all that browsers show of this origin. */

type Release = () => void;

/** Those of this tab, by name: what gives each back, as soon as it is known. */
const held = new Map<string, Promise<Release | null>>();

/**
 * Takes a lock that is held until it is given back or this tab goes away, so that two tabs never do the same work.
 * `false` when another tab has it. Where browsers have no locks, every tab gets it.
 */
export async function holdLock(name: string): Promise<boolean> {
  const taken = held.get(name) ?? tryLock(name).catch(() => freely);
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

/**
 * Browsers allow a page's host six connections at once, over all tabs together. Streams hold theirs for long, so only a
 * few tabs may have one, or requests would wait behind them for ever.
 */
const MAX_STREAMS = 3;

/** Takes a slot for a stream; null when other tabs have them all. Call what this gives to give it back. */
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
  // On pages whose address isn't trusted there are none, and nobody can be counted.
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
