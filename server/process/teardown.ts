import { nameFault } from '../lib/fault-report.ts';
import { withTimeout } from '../lib/with-timeout.ts';

type Step = () => Promise<void>;

/** Undoes a start-up in limited time: all of it, even if a step fails or hangs. */
export type Teardown = ReturnType<typeof createTeardown>;

/** The whole process has to end within 5 seconds. The store gets what the first steps leave. */
const DEADLINE_MS = 4_200;
const FIRST_DEADLINE_MS = 2_500;

/** No steps yet. Logs the steps that fail or don't end in time; they may still go on. */
export function createTeardown(
  log: (line: string) => void,
  { deadlineMs = DEADLINE_MS, firstDeadlineMs = FIRST_DEADLINE_MS } = {},
) {
  const first: [name: string, step: Step][] = [];
  const last: [name: string, step: Step][] = [];
  let running: Promise<void> | null = null;

  async function end([name, step]: [string, Step], deadline: number): Promise<void> {
    let isOver = false;
    const hasEnded = (): boolean => isOver;
    const ended = (async () => step())()
      .catch((error: unknown) => log(`Stopping ${name} failed: ${nameFault(error)}`))
      .finally(() => (isOver = true));
    await withTimeout(deadline - performance.now(), ended);
    if (!hasEnded()) log(`Stopping ${name} takes too long.`);
  }

  async function runAll(): Promise<void> {
    const begun = performance.now();
    await Promise.all(first.reverse().map((step) => end(step, begun + firstDeadlineMs)));
    for (const step of last.reverse()) await end(step, begun + deadlineMs);
  }

  return {
    /** Adds a step. They begin together, the last one added first, and none waits for another. */
    add: (name: string, step: Step): void => void first.push([name, step]),
    /** Adds a step that runs after those, since they need what it closes; the last one added is the first of these. */
    addLast: (name: string, step: Step): void => void last.push([name, step]),
    /** Runs all steps, once: later calls wait for the same run. Never rejects. */
    run: (): Promise<void> => (running ??= runAll()),
  };
}
