/** Runs each compaction in its own thread, so that the event loop never waits for it; the thread ends when the work does. */
import { startThread } from '../lib/threads.ts';
import { type CompactionTask, compactStore } from './compact.ts';
import type { Disk } from './disk.ts';

/** Makes a snapshot as {@link compactStore} does. Aborting the signal stops it; it rejects once it has fully stopped. */
export type Compactor = (task: CompactionTask, signal: AbortSignal) => Promise<number>;

/** The one message that the thread sends. */
export type CompactionOutcome = { bytes: number } | { message: string; code: string };

/** A compactor in the calling thread: for disks that only this thread can reach. */
export const compactHere =
  (disk: Disk): Compactor =>
  (task, signal) =>
    compactStore(disk, task, signal);

/** A compactor in a thread, over the real file system. */
export const compactInThread: Compactor = async (task, signal) => {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const worker = startThread('compaction-thread', { workerData: task });
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop);
  worker.on('message', (outcome: CompactionOutcome) => {
    if ('bytes' in outcome) resolve(outcome.bytes);
    else reject(Object.assign(new Error(outcome.message), { code: outcome.code }));
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The compaction thread ended early.')));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
};
