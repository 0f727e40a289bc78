/** What a pause of the process, as while a computer sleeps, counts at most. */
const STEP_MS = 5_000;

/**
 * Calls `run` each time the process has been awake for so long since the start, or since the last `refresh`, until it is cleared. Whoever
 * is waited for could not be heard meanwhile, so a limit of their silence counts steps, not the clock.
 */
export function startAwakeTimer(ms: number, run: () => void, stepMs = STEP_MS) {
  const steps = Math.max(1, Math.ceil(ms / stepMs));
  let left = steps;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    left = steps;
    run();
  }, ms / steps);
  return {
    refresh(): void {
      left = steps;
      timer.refresh();
    },
    clear: (): void => clearInterval(timer),
  };
}
