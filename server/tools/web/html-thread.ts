/** Entry of the thread that reads one page, sends the result, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readHtml } from './read-html.ts';

parentPort?.postMessage(readHtml(...(workerData as Parameters<typeof readHtml>)));
