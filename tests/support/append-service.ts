/**
 * The service, as a separate process, with a tool whose work survives a kill; see serve-entry.ts. The tool
 * `append {text, holdMs}` asks, writes a line to the file named by `--lines` at once, and returns after that many milliseconds.
 */
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tool } from '../../server/tools/tool.ts';
import { serveEntry } from './serve-entry.ts';

const appendTo = (file: string): Tool => ({
  name: 'append',
  description: 'Appends a line.',
  input: {
    type: 'object',
    properties: { text: { type: 'string' }, holdMs: { type: 'integer' } },
    required: ['text'],
  },
  runs: 'service',
  asks: 'always',
  changes: true,
  run: async ({ text, holdMs = 0 }) => {
    await appendFile(file, `${String(text)}\n`);
    await sleep(Number(holdMs));
    return { written: true };
  },
});

await serveEntry(
  (flag) => ({
    hostTools: { sources: [{ isForOffline: false, list: () => Promise.resolve([appendTo(flag('lines'))]) }] },
  }),
  ['lines'],
);
