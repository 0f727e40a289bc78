/**
 * The service from its sources with tools that reach out (outside-source.ts), as a process of its own:
 * `node tests/support/asking-service.ts --port 0 --data-dir DIR --json`. It prints what `npm run serve -- --json` does, and
 * serves the built page when there is one. `PARLEY_TEST_APPROVAL_MS`: how long a person has to answer.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startService } from '../../server/start.ts';
import { createRecordingSource } from './outside-source.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'data-dir': { type: 'string' },
    json: { type: 'boolean' },
  },
});
const { port, 'data-dir': dataDir } = values;
if (dataDir === undefined) throw new Error('--data-dir is missing.');
const approvalMs = process.env['PARLEY_TEST_APPROVAL_MS'];

const service = await startService({
  port: Number(port),
  dataDir,
  pageDir: fileURLToPath(new URL('../../out/renderer', import.meta.url)),
  outside: {
    sources: [createRecordingSource()],
    ...(approvalMs !== undefined && { approvalMs: Number(approvalMs) }),
  },
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
