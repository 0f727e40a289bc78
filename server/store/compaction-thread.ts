/** Entry of the thread that makes one snapshot, reports its size, and ends. What it throws, the thread's `error` event brings, with its code. */
import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk } from './disk.ts';
import { type SnapshotTask, makeSnapshot } from './snapshot.ts';

const { dir, task } = workerData as { dir: string; task: SnapshotTask };
parentPort?.postMessage(await makeSnapshot(nodeDisk(), dir, task));
