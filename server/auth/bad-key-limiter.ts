/** Slows down whoever guesses keys. Good keys never ask it, so that they pass while bad ones are turned away. */
export interface BadKeyLimiter {
  /** Counts one bad key; returns 0 when it may be told so, else after how many seconds to try again. */
  count(nowMs: number): number;
}

/** Lets `allowed` bad keys through in any `windowMs`; those turned away don't count. */
export function createBadKeyLimiter(allowed = 20, windowMs = 60_000): BadKeyLimiter {
  const times: number[] = [];
  return {
    count(nowMs) {
      while (times[0] !== undefined && times[0] <= nowMs - windowMs) times.shift();
      const [oldest] = times;
      if (times.length >= allowed && oldest !== undefined) {
        return Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000));
      }
      times.push(nowMs);
      return 0;
    },
  };
}
