import type PQueue from 'p-queue';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Holds the queue while the disk refuses writes: tries again later and later, and never spins. */
export interface StorePause {
  /** A write was refused. */
  begin(): void;
  /** A write succeeded: the next pause is a short one again. */
  end(): void;
  /** Lets go of the timer; the queue stays as it is. */
  close(): void;
}

/** A pause for that queue. */
export function createStorePause(queue: PQueue): StorePause {
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      if (timer !== undefined) return;
      queue.pause();
      timer = setTimeout(() => {
        timer = undefined;
        queue.start();
      }, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    },
    end() {
      pauseMs = FIRST_PAUSE_MS;
    },
    close: () => clearTimeout(timer),
  };
}
