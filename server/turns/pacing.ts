/**
 * Sends go first: while they keep arriving and chats are queueing, no new turn starts, for up to 1 s a burst, then 5% of the time. So
 * a burst is accepted at full speed. Once 1,000 messages wait in a workspace, its sends are held and refused (admission.ts), so
 * turns keep most of their pace.
 */
export type Pacing = ReturnType<typeof createPacing>;

/** How long sends may delay turns at the start of a burst, and after that as a share of the time. */
const MAX_HELD_MS = 1_000;
const HELD_SHARE = 1 / 20;
/** How often to check whether turns may start. */
const CHECK_INTERVAL_MS = 1;
/** A burst is over when nothing was sent for this long. */
const PAUSE_MS = 10;
/** How many turns the pace is averaged over. */
const PACE_TURNS = 64;

/** Pacing for one processor. `isBehind` says whether more chats wait than can run at once. `now` is a monotonic clock in ms. */
export function createPacing(isBehind: () => boolean, now = (): number => performance.now()) {
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
      await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    startedAt = now();
    creditMs -= startedAt - from;
  }

  function leave(): void {
    underWay -= 1;
    sentAt = now();
  }

  return {
    /** Resolves when one more turn may start: in the order of the calls, each in its own round of the event loop. */
    nextStart(): Promise<void> {
      last = last.then(start);
      return last;
    },
    /** A send has started. Call the returned function when it is over. */
    beginSend: (): (() => void) => {
      underWay += 1;
      return leave;
    },
    /** There is work, after there was none. */
    noteWork(): void {
      endedAt ??= now();
      creditMs = MAX_HELD_MS;
    },
    /** A turn is over. `isLast`: there is no more work. */
    noteEnd(isLast: boolean): void {
      const time = now();
      ends = Math.min(ends + 1, PACE_TURNS);
      meanMs += (time - (endedAt ?? time) - meanMs) / ends;
      endedAt = isLast ? null : time;
    },
    /**
     * Average time between the ends of two turns under load, in milliseconds; 0 until a turn has ended. A slow turn counts before it ends.
     */
    msPerTurn: (): number => Math.max(meanMs, endedAt === null ? 0 : now() - endedAt),
  };
}
