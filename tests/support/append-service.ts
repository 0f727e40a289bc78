/**
 * The service with a tool whose work stays when the process is killed, as a process of its own; see serve-entry.ts. The tool
 * `append {text, holdMs}` asks, writes a line to the file that `--lines` names at once, and returns after so many milliseconds.
 */
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutsideTool } from '../../server/tools/host-tool.ts';
import { serveEntry } from './serve-entry.ts';

const appendTo = (file: string): OutsideTool => ({
  name: 'append',
  description: 'Appends a line.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' }, holdMs: { type: 'integer' } },
    required: ['text'],
  },
  asks: true,
  changes: true,
  run: async ({ text, holdMs = 0 }) => {
    await appendFile(file, `${String(text)}\n`);
    await sleep(Number(holdMs));
    return { written: true };
  },
});

await serveEntry(
  (flag) => ({
    outside: { sources: [{ isForOffline: false, list: () => Promise.resolve([appendTo(flag('lines'))]) }] },
  }),
  ['lines'],
);
