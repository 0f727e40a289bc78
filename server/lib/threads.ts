/** Worker threads: where their entries are, and what each one starts with. */
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { withTimeout } from './with-timeout.ts';

/** Each thread's built name, and its source relative to this module. `electron.vite.config.ts` builds the same ones. */
const SOURCES = {
  'agent-worker': '../turns/thread/worker.ts',
  'compaction-thread': '../store/compaction-thread.ts',
  'data-thread': '../data/data-thread.ts',
  'document-thread': '../files/document-thread.ts',
  'html-thread': '../tools/web/html-thread.ts',
} as const;

/** A thread, by the name of its built entry. */
type ThreadName = keyof typeof SOURCES;

/**
 * Where a thread's entry is: its source while this module runs from source, else the built file beside this module or one folder
 * up, since the bundler may put this module in a folder of chunks. Throws when a built one is not there.
 */
export function threadUrl(name: ThreadName, from: string = import.meta.url): URL {
  if (from.endsWith('.ts')) return new URL(SOURCES[name], from);
  const found = [`./${name}.js`, `../${name}.js`]
    .map((path) => new URL(path, from))
    .find((url) => existsSync(url));
  if (found === undefined) throw new Error(`There is no ${name}.js beside ${from}.`);
  return found;
}

/** Those that have not ended: {@link endThreads} ends them. */
const running = new Set<Worker>();

/**
 * Ends all threads. Resolves when they have ended, or after `waitMs`, with whether they have: nothing ends one that is in native
 * code (a system call that hangs, the copying of a large buffer).
 */
export async function endThreads(waitMs: number): Promise<boolean> {
  await withTimeout(waitMs, Promise.all([...running].map((worker) => worker.terminate())));
  return running.size === 0;
}

/** Starts a thread without this process's flags, and without its environment unless given; its output is discarded unless read. */
export function startThread(
  entry: ThreadName | URL,
  {
    env,
    ...options
  }: Pick<WorkerOptions, 'name' | 'workerData' | 'resourceLimits'> & { env?: NodeJS.ProcessEnv },
): Worker {
  const cacheDir = nodeModule.getCompileCacheDir();
  const worker = new Worker(entry instanceof URL ? entry : threadUrl(entry), {
    name: `parley-${String(entry)}`,
    ...options,
    execArgv: [],
    // Without this, a thread doesn't use the process's cache of compiled code.
    env: { ...env, ...(cacheDir !== undefined && { NODE_COMPILE_CACHE: dirname(cacheDir) }) },
    // What libraries print stays out of the process's output.
    stdout: true,
    stderr: true,
  });
  running.add(worker);
  worker.once('exit', () => running.delete(worker));
  return worker;
}
