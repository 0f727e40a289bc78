/**
 * The service from its sources with directed replies (directed-runtime.ts), as a process of its own that tests may kill:
 * `node tests/support/scripted-service.ts --port 0 --data-dir DIR --json`. It prints what `npm run serve -- --json` does,
 * and serves the built page when there is one.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startService } from '../../server/start.ts';
import { createDirectedRuntime } from './directed-runtime.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'data-dir': { type: 'string' },
    json: { type: 'boolean' },
  },
});
const { port, 'data-dir': dataDir } = values;
if (dataDir === undefined) throw new Error('--data-dir is missing.');

const service = await startService({
  port: Number(port),
  dataDir,
  pageDir: fileURLToPath(new URL('../../out/renderer', import.meta.url)),
  runtime: createDirectedRuntime(),
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
