/**
 * The service from its sources with a tool whose work stays when the process is killed, as a process of its own:
 * `node tests/support/append-service.ts --data-dir DIR --lines FILE`. Its tool `append {text, holdMs}` asks, writes a line
 * to the file at once, and returns after so many milliseconds.
 */
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { OutsideTool } from '../../server/outside/outside-tool.ts';
import { startService } from '../../server/start.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'data-dir': { type: 'string', default: '' },
    lines: { type: 'string', default: '' },
    json: { type: 'boolean' },
  },
});

const append: OutsideTool = {
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
    await appendFile(values.lines, `${String(text)}\n`);
    await sleep(Number(holdMs));
    return { written: true };
  },
};

const service = await startService({
  port: Number(values.port),
  dataDir: values['data-dir'],
  outside: { sources: [{ isForOffline: false, list: () => Promise.resolve([append]) }] },
});
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
console.log(
  JSON.stringify({
    baseUrl: service.url,
    apiKey: service.apiKey,
    pageUrl: service.createPageUrl(),
    dataDir: service.dataDir,
    pid: process.pid,
  }),
);
