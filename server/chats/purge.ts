/** Housekeeping: what was deleted long ago is removed for good, soon after the start and every few hours. */
import { AppError } from '../errors.ts';
import { describeFault } from '../lib/fault-report.ts';
import { recordClock, steadyAgo } from './steady-time.ts';
import { deleteForgottenDrafts } from '../store/draft-repository.ts';
import type { ServiceDeps } from './deps.ts';
import type { MessageFiles } from './message-files.ts';
import type { Eraser } from './eraser.ts';

/** Wait after the start, which has more urgent work. */
const FIRST_AFTER_MS = 15_000;
const INTERVAL_MS = 4 * 60 * 60_000;
/** How soon to retry a failed purge. */
const RETRY_MS = 10 * 60_000;
/** How long a sent or emptied draft is remembered, so that a delayed older write doesn't bring it back. */
const FORGOTTEN_DRAFT_MS = 24 * 60 * 60_000;

/** Removes what has expired. */
export type Purge = ReturnType<typeof createPurge>;

/** A purge that runs by itself from `start` to `close`. `log` gets a line for each failure. */
export function createPurge({
  store,
  eraser,
  files,
  clock,
  log,
}: Pick<ServiceDeps, 'store' | 'clock'> & {
  eraser: Eraser;
  files: Pick<MessageFiles, 'tidy'>;
  log: (line: string) => void;
}) {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isStart = true;

  function plan(afterMs: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void run(), afterMs).unref();
  }

  /** Purges now. Never rejects: failures are logged and retried. */
  async function run(): Promise<void> {
    try {
      await store.write((writer) => {
        recordClock(writer, clock(), isStart);
        deleteForgottenDrafts(writer, steadyAgo(writer, clock(), FORGOTTEN_DRAFT_MS));
      });
      isStart = false;
      await files.tidy();
      await eraser.sweep();
      plan(INTERVAL_MS);
    } catch (error) {
      if (!isClosed)
        log(
          `What was deleted long ago could not be removed yet: ${error instanceof AppError ? error.message : describeFault(error)}`,
        );
      plan(RETRY_MS);
    }
  }

  /** As {@link Eraser.sweep}; retried soon if it fails. */
  async function sweep(): Promise<void> {
    try {
      await eraser.sweep();
    } catch (error) {
      plan(RETRY_MS);
      throw error;
    }
  }

  return {
    /** Starts purging: soon, and then every few hours. */
    start: (): void => plan(FIRST_AFTER_MS),
    run,
    sweep,
    /** Stops purging. Resolves when a running purge has stopped. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await eraser.close();
    },
  };
}
