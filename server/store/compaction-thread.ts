/** Entry of the thread that makes one snapshot, reports the outcome, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CompactionTask, compactStore } from './compact.ts';
import type { CompactionOutcome } from './compactor.ts';
import { diskErrorCode, nodeDisk } from './disk.ts';

const outcome = await compactStore(nodeDisk(), workerData as CompactionTask).then(
  (bytes): CompactionOutcome => ({ bytes }),
  (error: unknown): CompactionOutcome => ({
    message: error instanceof Error ? error.message : String(error),
    code: diskErrorCode(error),
  }),
);
parentPort?.postMessage(outcome);
