import { nameFault } from '../lib/fault-report.ts';

/** Undoes a start-up in reverse order and in limited time: all of it, even if a step fails. */
export interface Teardown {
  /** Adds a step; the last one added is the first to run. */
  add(name: string, step: () => Promise<void>): void;
  /** Runs all steps, once: later calls wait for the same run. Never rejects. */
  run(): Promise<void>;
}

/** The whole process has to end within 5 seconds. */
const DEADLINE_MS = 4_500;

/** No steps yet. Logs the steps that fail or don't end in time. */
export function createTeardown(log: (line: string) => void, deadlineMs = DEADLINE_MS): Teardown {
  const steps: { name: string; step: () => Promise<void> }[] = [];
  let running: Promise<void> | null = null;

  const runAll = async (): Promise<void> => {
    const deadline = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => deadline.resolve('late'), deadlineMs);
    for (let next = steps.pop(); next !== undefined; next = steps.pop()) {
      const { name, step } = next;
      const ended = (async () => step())().catch((error: unknown) => {
        log(`Stopping ${name} failed: ${nameFault(error)}`);
      });
      // After the deadline the remaining steps are only started, so that each does what it can at once.
      if ((await Promise.race([ended, deadline.promise])) === 'late') log(`Stopping ${name} takes too long.`);
    }
    clearTimeout(timer);
  };

  return {
    add: (name, step) => void steps.push({ name, step }),
    run: () => (running ??= runAll()),
  };
}
