/** For files, names of computers and the like; Node's own four are soon used up where a folder doesn't answer. */
const THREADS = 32;

/**
 * Has the process use a larger pool of threads for work on files. To be called before there is any such work. What the
 * environment says counts more.
 */
export function growThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(THREADS);
}

const LAST_WORK_MS = 200;

/**
 * Ends the process. One whose work on a file hangs in the system can't end in order, since that waits for the work: it
 * ends as by SIGTERM then, which is at once. To be called when all that matters is done. `exit` is how it ends in order.
 */
export async function endProcess(
  code: number,
  exit: (code: number) => void = (last) => process.exit(last),
): Promise<void> {
  if (hasFileWork()) await new Promise((resolve) => setTimeout(resolve, LAST_WORK_MS));
  if (hasFileWork()) {
    process.removeAllListeners('SIGTERM');
    process.kill(process.pid, 'SIGTERM');
  }
  exit(code);
}

const hasFileWork = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
