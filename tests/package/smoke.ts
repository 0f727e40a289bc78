/**
 * `node tests/package/smoke.ts <program>`: whether a packaged Parley, with Electron's real runtime in it, starts, answers a
 * message and ends in order. CI runs it on what electron-builder made; nothing but the real runtime shows that the agent thread
 * is found inside the archive.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { converse, start } from './running.ts';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('Name the program to start.');

const folder = await mkdtemp(join(tmpdir(), 'parley-smoke-'));
try {
  const parley = await start(program, args, join(folder, 'data'));
  let reply = '';
  let code: number | null = null;
  try {
    reply = await converse(parley);
  } finally {
    code = await parley.end();
    process.stdout.write(`${parley.output()}\n`);
  }
  if (!reply.includes('230')) throw new Error(`It answered: ${reply}`);
  if (code !== 0 && process.platform !== 'win32') throw new Error(`It ended with ${String(code)}.`);
  process.stdout.write(`It answered "${reply}" and ended with ${String(code)}.\n`);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
