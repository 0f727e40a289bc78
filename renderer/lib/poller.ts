/** First and longest wait after a failed run, in milliseconds; it doubles in between. */
const FIRST_RETRY_MS = 400;
const LONGEST_RETRY_MS = 4_000;

/** How long to wait after that many failures in a row, in milliseconds. */
export const retryDelay = (failures: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));

/** Runs something repeatedly, one run at a time. */
export type Poller = ReturnType<typeof createPoller>;

/**
 * Makes a {@link Poller}; nothing runs before the first `now()`. After each run it waits `delay()` milliseconds, or
 * until `now()` if that is null. A run that rejects is tried again with a growing wait.
 */
export function createPoller(run: () => Promise<void>, delay: () => number | null) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: Promise<void> | null = null;
  let again: Promise<void> | null = null;
  let failures = 0;
  let stopped = false;

  const start = (): Promise<void> => {
    clearTimeout(timer);
    if (stopped) return Promise.resolve();
    current = attempt().finally(() => {
      current = null;
      plan();
    });
    return current;
  };

  const attempt = async (): Promise<void> => {
    try {
      await run();
      failures = 0;
    } catch {
      failures += 1;
    }
  };

  const plan = (): void => {
    if (stopped || again) return;
    const wait = failures === 0 ? delay() : retryDelay(failures);
    if (wait !== null) timer = setTimeout(() => void start(), wait);
  };

  return {
    /** Runs as soon as possible: at once, or right after the current run. Resolves after that run. */
    now: (): Promise<void> => {
      if (!current) return start();
      again ??= current.then(() => {
        again = null;
        return start();
      });
      return again;
    },
    /** Stops for good; doesn't wait for a run under way. */
    stop: (): void => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
