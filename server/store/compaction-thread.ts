/** Entry of the thread that makes one snapshot, reports the outcome, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CompactionOutcome, type SnapshotTask, makeSnapshot } from './compaction.ts';
import { diskErrorCode, nodeDisk, patientDisk } from './disk.ts';
import { messageOf } from '../lib/message-of.ts';

const { dir, task } = workerData as { dir: string; task: SnapshotTask };
const outcome = await makeSnapshot(patientDisk(nodeDisk()), dir, task).then(
  (bytes): CompactionOutcome => ({ bytes }),
  (error: unknown): CompactionOutcome => ({
    message: messageOf(error),
    code: diskErrorCode(error),
  }),
);
parentPort?.postMessage(outcome);
