import { existsSync } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTempFolder } from '../../electron/temp-folder.ts';
import { createTempDir } from '../support/service.ts';

it('removes what earlier runs left, but nothing recent and nothing else', async () => {
  const root = await createTempDir();
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TMPDIR', root);
  vi.stubEnv('TEMP', root);
  const old = new Date(Date.now() - 2 * 86_400_000);
  for (const name of ['parley-check-old', 'parley-check-recent', 'other-old']) {
    await mkdir(join(root, name, 'window'), { recursive: true });
    if (name.endsWith('old')) await utimes(join(root, name), old, old);
  }
  const made = createTempFolder('parley-check-');
  expect(made.startsWith(join(root, 'parley-check-'))).toBe(true);
  const kept = ['parley-check-old', 'parley-check-recent', 'other-old'].map((name) =>
    existsSync(join(root, name)),
  );
  expect([existsSync(made), ...kept]).toEqual([true, false, true, true]);
});
