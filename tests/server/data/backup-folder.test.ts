import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createBackupFolder } from '../../../server/data/backup-folder.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { modeOf, PRIVATE_FOLDER } from '../../support/platform.ts';
import { createTempDir } from '../../support/service.ts';

const TIME = new Date('2026-11-20T09:30:00.000Z');

const sound = async (): Promise<void> => undefined;

async function* textOf(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function* broken(): AsyncGenerator<string> {
  yield '{';
  throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
}

describe('the folder of backups', () => {
  it('is empty before the first backup', async () => {
    const folder = createBackupFolder(join(await createTempDir(), 'backups'));
    expect(await folder.list()).toEqual([]);
    expect(await folder.find('parley-2026-11-20T09-30-00.json.gz')).toBeNull();
  });

  it('keeps nothing of a backup that could not be written whole', async () => {
    const dir = join(await createTempDir(), 'backups');
    const folder = createBackupFolder(dir);
    await expect(folder.write(broken(), TIME, sound)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(dir)).toEqual([]);
  });

  it('keeps nothing of a backup that can not be read back', async () => {
    const dir = join(await createTempDir(), 'backups');
    const folder = createBackupFolder(dir);
    const read: string[] = [];
    const check = async (path: string): Promise<void> => {
      read.push(gunzipSync(await readFile(path)).toString());
      throw new Error('not readable');
    };
    await expect(folder.write(textOf('{', '}'), TIME, check)).rejects.toThrow('not readable');
    expect(read).toEqual(['{}']);
    expect(await readdir(dir)).toEqual([]);
  });

  it.each(['write', 'datasync', 'rename'] as const)(
    'keeps nothing when the disk refuses to %s',
    async (call) => {
      const dir = join(await createTempDir(), 'backups');
      const disk = faultyDisk();
      disk.fail({ calls: [call], code: call === 'write' ? 'ENOSPC' : 'EIO' });
      await expect(createBackupFolder(dir, disk).write(textOf('{}'), TIME, sound)).rejects.toMatchObject({
        code: call === 'write' ? 'ENOSPC' : 'EIO',
      });
      expect(await readdir(dir)).toEqual([]);
    },
  );

  it('gives backups of the same second names of their own, the newest first in the list', async () => {
    const folder = createBackupFolder(join(await createTempDir(), 'backups'));
    const names = [];
    for (let count = 0; count < 11; count += 1)
      names.push((await folder.write(textOf('{}'), TIME, sound)).name);
    expect(new Set(names).size).toBe(11);
    expect((await folder.list()).map(({ name }) => name)).toEqual(names.toReversed());
    expect((await folder.list()).every(({ createdAt }) => createdAt === TIME.toISOString())).toBe(true);
  });

  it('clears away what a process that died left, and nothing else', async () => {
    const dir = join(await createTempDir(), 'backups');
    await mkdir(dir, { mode: 0o755 });
    await writeFile(join(dir, 'parley-2026-11-19T09-30-00.json.gz.tmp'), 'half');
    await writeFile(join(dir, 'notes.txt'), 'a person’s own');
    const folder = createBackupFolder(dir);
    const { name } = await folder.write(textOf('{}'), TIME, sound);
    expect((await readdir(dir)).sort()).toEqual(['notes.txt', name]);
    expect(await modeOf(dir)).toBe(PRIVATE_FOLDER);
    expect((await folder.list()).map((backup) => backup.name)).toEqual([name]);
  });

  it.each([
    '',
    '.',
    '..',
    'notes.txt',
    '../notes.txt',
    'parley-2026-11-20T09-30-00.json.gz/..',
    'parley-2026-99-99T99-99-99.json.gz',
  ])('knows no backup of the name %j', async (name) => {
    const dir = await createTempDir();
    await writeFile(join(dir, 'notes.txt'), 'x');
    expect(await createBackupFolder(dir).find(name)).toBeNull();
  });
});
