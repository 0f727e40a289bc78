/**
 * A tool server over stdio, as a separate process. Its environment controls its behaviour (switches.ts):
 *
 *     MCP_TEST_COUNTER_FILE=/tmp/x/runs node tests/support/mcp-server/stdio.ts
 *
 * {@link STDIO_MCP_SERVER} in index.ts is what a tool server is added with: `{ command, args }`.
 */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createTestMcpServer } from './create-server.ts';
import { readSwitches } from './switches.ts';
import { tell } from './tools.ts';

const switches = readSwitches(process.env, process.argv);
tell(switches, `started ${process.pid}`);

if (switches.startsHelper) {
  const helper = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1_000)'], { stdio: 'inherit' });
  tell(switches, `started ${helper.pid ?? 0}`);
}
if (switches.stays) {
  process.on('SIGTERM', () => tell(switches, 'asked to end'));
  setInterval(() => undefined, 1_000);
}
if (switches.endsWith !== null) {
  process.stderr.write(`${switches.endsWith}\n`, () => process.exit(3));
} else if (switches.talksNonsense) {
  process.stdin.on('data', () => process.stdout.write('Hello, this is a lamp.\n'));
} else {
  await sleep(switches.startDelayMs);
  process.stderr.write('The lamp is on.\n');
  serveStdio(() => createTestMcpServer({ switches, die: () => process.exit(1) }), {
    legacy: switches.isModernOnly ? 'reject' : 'serve',
  });
}
