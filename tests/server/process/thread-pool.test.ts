import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createTempDir } from '../../support/service.ts';

const ENTRY = fileURLToPath(new URL('../../support/hanging-files.ts', import.meta.url));

test.runIf(process.platform !== 'win32').each([
  ['goes on with other files, and still ends', 12, [null, 'SIGTERM']],
  ['ends in order where there is none', 0, [0, null]],
])('a process with file work that hangs %s', async (_what, count, end) => {
  const pipe = join(await createTempDir(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const child = spawn(process.execPath, [ENTRY, pipe, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  expect(await once(child, 'close')).toEqual(end);
  expect(said.trim()).toBe('read');
});
