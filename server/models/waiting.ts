/** How often a turn shows that it isn't stuck. */
const TICK_MS = 1_000;

/** Says what is waited for: after `fromMs`, and until `untilMs` once a second, so that the turn doesn't seem stuck. */
export function reportWaiting(
  onWaiting: (what: string) => void,
  what: string,
  { fromMs = 0, untilMs = Infinity } = {},
): { say: () => void; stop: () => void } {
  const startedAt = performance.now();
  let isDue = false;
  const say = (): void => onWaiting(isDue ? what : '');
  const notice = setTimeout(() => {
    isDue = true;
    say();
  }, fromMs);
  const ticks = setInterval(() => {
    if (performance.now() - startedAt < untilMs) say();
  }, TICK_MS);
  return {
    say,
    stop: () => {
      clearTimeout(notice);
      clearInterval(ticks);
    },
  };
}

/** Calls it at most once a second. */
export function onceASecond(call: () => void): () => void {
  let calledAt = performance.now();
  return () => {
    if (performance.now() - calledAt < TICK_MS) return;
    calledAt = performance.now();
    call();
  };
}
