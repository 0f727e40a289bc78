/**
 * When the next turn may begin. Accepting messages goes before answering them: turns begin one at a time, each in a
 * round of the event loop of its own, and while sends are under way only every few milliseconds. So a flood of sends
 * is taken in at full speed while what waits still goes on being answered; as soon as it ebbs, turns begin freely.
 */
export interface Pacing {
  /** Resolves when one more turn may begin; in the order of the calls. */
  nextStart(): Promise<void>;
  /** A send is under way; call what this returns once it is over. */
  makeWay(): () => void;
}

/** How long a send that is under way may hold up the next turn. */
const MAX_HOLD_MS = 10;
/** How often it is looked whether the way is free. */
const LOOK_INTERVAL_MS = 1;

/** Pacing for one processor. `now` gives milliseconds that only rise. */
export function createPacing(now = (): number => performance.now()): Pacing {
  let sends = 0;
  let startedAt = 0;
  let last: Promise<void> = Promise.resolve();

  const isHeldUp = (): boolean => sends > 0 && now() - startedAt < MAX_HOLD_MS;

  async function start(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (isHeldUp()) await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
    startedAt = now();
  }

  const leave = (): void => {
    sends -= 1;
  };

  return {
    nextStart() {
      last = last.then(start);
      return last;
    },
    makeWay() {
      sends += 1;
      return leave;
    },
  };
}
