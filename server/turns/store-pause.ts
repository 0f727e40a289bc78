import type PQueue from 'p-queue';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Holds the queues while the disk refuses writes: tries again later and later, and never spins. */
export interface StorePause {
  /** A write was refused. */
  begin(): void;
  /** A write succeeded: the next pause is a short one again. */
  end(): void;
  /** Lets go of the timer; the queues stay as they are. */
  close(): void;
}

/** A pause for those queues. */
export function createStorePause(queues: readonly PQueue[]): StorePause {
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      if (timer !== undefined) return;
      for (const queue of queues) queue.pause();
      timer = setTimeout(() => {
        timer = undefined;
        for (const queue of queues) queue.start();
      }, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    },
    end() {
      pauseMs = FIRST_PAUSE_MS;
    },
    close: () => clearTimeout(timer),
  };
}
