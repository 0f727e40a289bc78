import { execFileSync } from 'node:child_process';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readPrivateFile, writePrivateFile } from '../../../server/lib/private-file.ts';
import { syncFolder } from '../../../server/lib/sync-folder.ts';
import { HAS_PIPES } from '../../support/platform.ts';
import { createTempDir } from '../../support/service.ts';

vi.mock(import('../../../server/lib/sync-folder.ts'), { spy: true });

it('has the folder on disk, too, once the file has its name', async () => {
  const path = join(await createTempDir(), 'secrets.json');
  const found: string[] = [];
  vi.mocked(syncFolder).mockImplementation(async (folder) => {
    expect(folder).toBe(dirname(path));
    found.push(await readFile(path, 'utf8'));
  });
  await writePrivateFile(path, 'one');
  await writePrivateFile(path, 'two');
  expect(found).toEqual(['one', 'two']);
});

it('leaves nothing behind where it can not be written', async () => {
  const dir = await createTempDir();
  await mkdir(join(dir, 'local-key', 'full'), { recursive: true });
  await expect(writePrivateFile(join(dir, 'local-key'), 'text')).rejects.toThrow();
  expect(await readdir(dir)).toEqual(['local-key']);
});

it.runIf(HAS_PIPES)('waits for nothing that can never be read to its end', async () => {
  const path = join(await createTempDir(), 'local-key');
  expect(await readPrivateFile(path)).toBeNull();
  execFileSync('mkfifo', [path]);
  await expect(readPrivateFile(path)).rejects.toMatchObject({ code: 'EISDIR', path });
});
