/**
 * Browsers allow a page's host six connections at once, over all tabs together. Streams hold theirs for long, so only a
 * few tabs may have one, or requests would wait behind them for ever.
 */
const MAX_STREAMS = 3;

/** What is used of `navigator.locks`. */
export type Locks = Pick<LockManager, 'request'>;

/** Takes a slot for a stream; null when other tabs have them all. Call what this gives to give it back. */
export async function takeStreamSlot(locks = browserLocks()): Promise<(() => void) | null> {
  // Nobody can be counted.
  if (locks === null) return () => undefined;
  for (let slot = 1; slot <= MAX_STREAMS; slot += 1) {
    const release = await tryLock(locks, `parley.stream.${slot}`);
    if (release !== null) return release;
  }
  return null;
}

/** Null where browsers have none: on pages whose address isn't trusted. */
const browserLocks = (): Locks | null => ('locks' in navigator ? navigator.locks : null);

function tryLock(locks: Locks, name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(null);
          return undefined;
        }
        return new Promise<void>((release) => resolve(release));
      })
      .catch(() => resolve(null));
  });
}
