/** Uncaught errors: the process's state can't be trusted any more, so the app says so and shuts down cleanly. */
import { EXIT } from '../server/cli/exit-codes.ts';
import { describeFault } from '../server/lib/fault-report.ts';
import type { Dialogs } from './dialogs.ts';
import type { Quit } from './quit.ts';

/** What is done about faults. */
export interface FaultDeps {
  /** Restarts Parley once this process has ended. */
  startAgain: () => void;
  /** Resolves when dialogs can be shown. */
  ready: Promise<unknown>;
  dialogs: Pick<Dialogs, 'fault'>;
  quit: Quit;
  log: (line: string) => void;
}

/** Handles uncaught errors from now on. */
export function setupFaults({ startAgain, ready, dialogs, quit, log }: FaultDeps): void {
  let isReported = false;
  const notify = async (error: unknown): Promise<void> => {
    log(`Fault: ${describeFault(error)}`);
    if (isReported || quit.isQuitting()) return;
    isReported = true;
    await ready;
    if ((await dialogs.fault()) === 'restart') startAgain();
    quit.quit(EXIT.failed);
  };
  // The reader of the output may be gone; that isn't this process's fault.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  process.on('uncaughtException', (error) => void notify(error));
  process.on('unhandledRejection', (error) => void notify(error));
}
