import { endThreads } from '../lib/threads.ts';

/** They do the work on files and look up host names. Node's default of four is soon used up if a folder hangs. */
const THREADS = 32;

/** Enlarges the pool of threads for work on files, unless the environment sets its size. Call it before there is any such work. */
export function growThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(THREADS);
}

const LAST_WORK_MS = 200;
const END_THREADS_MS = 300;

/**
 * Ends the process with `exit`. That would wait for threads in native code, and for work on a file that hangs in the system, so such
 * a process is ended by SIGTERM instead. Call it when everything that matters is done.
 */
export async function endProcess(
  code: number,
  exit: (code: number) => void = (last) => process.exit(last),
): Promise<void> {
  const hasThreads = !(await endThreads(END_THREADS_MS));
  if (hasFileWork()) await new Promise((resolve) => setTimeout(resolve, LAST_WORK_MS));
  if (hasThreads || hasFileWork()) {
    process.removeAllListeners('SIGTERM');
    process.kill(process.pid, 'SIGTERM');
  }
  exit(code);
}

const hasFileWork = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
