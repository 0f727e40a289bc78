/**
 * What goes first when there is more to do than can be done. A burst of sends does: while they come and more chats wait than are worked
 * on at once, no further turn begins, for a second and from then on a twentieth of the time at most. So a burst is
 * taken at full speed. What is sent to a workspace in which a thousand messages wait is held and refused (admission.ts): so turns keep
 * most of their pace.
 */
export interface Pacing {
  /** Resolves when one more turn may begin; in the order of the calls, and each in a round of the event loop of its own. */
  nextStart(): Promise<void>;
  /** A send is under way; call what this returns once it is over. */
  makeWay: () => () => void;
  /** There is work, after there was none. */
  noteWork(): void;
  /** A turn is over; `isLast`: nothing else is left to do. */
  noteEnd(isLast: boolean): void;
  /** How much time passes between the ends of two turns while there is work, in milliseconds; 0 until a turn has ended. */
  msPerTurn(): number;
}

/** How long sends may hold up turns from when there was nothing to do, and from then on as a share of the time. */
const MAX_HELD_MS = 1_000;
const HELD_SHARE = 1 / 20;
/** How often it is looked whether the way is free. */
const LOOK_INTERVAL_MS = 1;
/** A burst is over when nothing has been sent for so long. */
const PAUSE_MS = 10;
/** The pace is that of about so many turns. */
const PACE_TURNS = 64;

/** Pacing for one processor; `isBehind` says whether more chats wait than are worked on at once. `now` gives milliseconds that only rise. */
export function createPacing(isBehind: () => boolean, now = (): number => performance.now()): Pacing {
  let underWay = 0;
  let sentAt = -Infinity;
  let creditMs = MAX_HELD_MS;
  let startedAt = now();
  let last: Promise<void> = Promise.resolve();
  /** Null: there is no work. */
  let endedAt: number | null = null;
  let ends = 0;
  let meanMs = 0;

  const isPause = (): boolean => underWay === 0 && now() - sentAt > PAUSE_MS;

  async function start(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const from = now();
    creditMs = Math.min(MAX_HELD_MS, creditMs + (from - startedAt) * HELD_SHARE);
    while (isBehind() && !isPause() && now() - from < creditMs)
      await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
    startedAt = now();
    creditMs -= startedAt - from;
  }

  function leave(): void {
    underWay -= 1;
    sentAt = now();
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
    noteWork() {
      endedAt ??= now();
      creditMs = MAX_HELD_MS;
    },
    noteEnd(isLast) {
      const time = now();
      ends = Math.min(ends + 1, PACE_TURNS);
      meanMs += (time - (endedAt ?? time) - meanMs) / ends;
      endedAt = isLast ? null : time;
    },
    // A turn that takes long is known of before it ends.
    msPerTurn: () => Math.max(meanMs, endedAt === null ? 0 : now() - endedAt),
  };
}
