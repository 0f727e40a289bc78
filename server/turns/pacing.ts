/**
 * When the next turn may begin. Accepting messages goes before answering them: turns begin one at a time, each in a
 * round of the event loop of its own, and while sends are under way, or come in a flood, only every few milliseconds. So
 * a flood is taken in at full speed while what waits still goes on being answered; when it ebbs, turns begin freely.
 */
export interface Pacing {
  /** Resolves when one more turn may begin; in the order of the calls. */
  nextStart(): Promise<void>;
  /** A send is under way; call what this returns once it is over. */
  makeWay(): () => void;
}

/** How long sends may hold up the next turn. */
const MAX_HOLD_MS = 10;
/** How often it is looked whether the way is free. */
const LOOK_INTERVAL_MS = 1;
/** So many sends within one or two windows are a flood: far more than people and scripts that wait for answers make. */
const FLOOD_SENDS = 16;
const WINDOW_MS = 10;

/** Pacing for one processor. `now` gives milliseconds that only rise. */
export function createPacing(now = (): number => performance.now()): Pacing {
  let underWay = 0;
  let startedAt = 0;
  let windowStart = 0;
  let inWindow = 0;
  let inLastWindow = 0;
  let last: Promise<void> = Promise.resolve();

  function moveWindow(time: number): void {
    const age = time - windowStart;
    if (age < WINDOW_MS) return;
    inLastWindow = age < 2 * WINDOW_MS ? inWindow : 0;
    inWindow = 0;
    windowStart = time;
  }

  function isHeldUp(): boolean {
    const time = now();
    moveWindow(time);
    const isBusy = underWay > 0 || inWindow + inLastWindow >= FLOOD_SENDS;
    return isBusy && time - startedAt < MAX_HOLD_MS;
  }

  async function start(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (isHeldUp()) await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
    startedAt = now();
  }

  function leave(): void {
    underWay -= 1;
    moveWindow(now());
    inWindow += 1;
  }

  return {
    nextStart() {
      last = last.then(start);
      return last;
    },
    makeWay() {
      underWay += 1;
      return leave;
    },
  };
}
