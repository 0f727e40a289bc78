/** Whether the page is in view, and when it may have missed something. */

/** How long a page may be hidden before it counts as left, in milliseconds. */
const LEFT_AFTER_MS = 10_000;
/** How often the clock is read, and how much more than that must have passed for the computer to have slept. */
const CLOCK_INTERVAL_MS = 5_000;
const SLEPT_MS = 10_000;

/** Called with events of the page. */
export interface PageLifeListener {
  /** It has been hidden for a while. */
  onLeft(): void;
  /** It can be seen again. */
  onSeen(): void;
  /** The computer has slept, or the network came back: what was open may be dead. */
  onWoken(): void;
}

/** Watches the page; returns a function that stops. A page that is hidden from the start soon counts as left. */
export function watchPage(listener: PageLifeListener): () => void {
  let left: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  let hiddenAt = 0;
  let lookedAt = Date.now();

  const noteVisibility = (): void => {
    clearTimeout(left);
    if (document.hidden) {
      hiddenAt = Date.now();
      left = setTimeout(() => {
        isLeft = true;
        listener.onLeft();
      }, LEFT_AFTER_MS);
    } else {
      // A computer that slept while the page was hidden couldn't report that it was left.
      const wasAsleep = !isLeft && Date.now() - hiddenAt > LEFT_AFTER_MS + CLOCK_INTERVAL_MS;
      isLeft = false;
      if (wasAsleep) listener.onWoken();
      else listener.onSeen();
    }
  };
  const noteOnline = (): void => {
    if (!isLeft) listener.onWoken();
  };
  const clock = setInterval(() => {
    const now = Date.now();
    const hasSlept = now - lookedAt > CLOCK_INTERVAL_MS + SLEPT_MS;
    lookedAt = now;
    // Browsers slow down a hidden page's timers, which looks the same.
    if (hasSlept && !document.hidden) listener.onWoken();
  }, CLOCK_INTERVAL_MS);

  document.addEventListener('visibilitychange', noteVisibility);
  window.addEventListener('online', noteOnline);
  if (document.hidden) noteVisibility();
  return () => {
    clearTimeout(left);
    clearInterval(clock);
    document.removeEventListener('visibilitychange', noteVisibility);
    window.removeEventListener('online', noteOnline);
  };
}
