/** How long it takes at most to notice that the computer slept or its clock was set. */
const CHECK_INTERVAL_MS = 10_000;

/**
 * Runs `run` once the clock shows `atMs`, or once as much time has passed as was left when this was called, whichever
 * comes first. A plain timer stops while a computer sleeps, overflows after 24 days, and misses a clock that is set.
 * Returns a function that cancels it.
 */
export function atTime(atMs: number, clock: () => Date, run: () => void): () => void {
  const leftMs = (): number => atMs - clock().getTime();
  const endsAt = performance.now() + leftMs();
  let timer: NodeJS.Timeout;
  const plan = (): void => {
    const waitMs = Math.min(leftMs(), endsAt - performance.now());
    timer = setTimeout(waitMs > 0 ? plan : run, Math.max(0, Math.min(waitMs, CHECK_INTERVAL_MS)));
  };
  plan();
  return () => clearTimeout(timer);
}
