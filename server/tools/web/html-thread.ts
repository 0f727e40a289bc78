/** Entry of the thread that reads one page, sends the result, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readHtml } from './read-html.ts';

const { html, address, maxCharacters } = workerData as {
  html: string;
  address: string;
  maxCharacters?: number;
};
parentPort?.postMessage(readHtml(html, address, maxCharacters));
