/** A first start where nothing may be written: told in words that help, whatever the system calls it. */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startService } from '../../server/start.ts';
import { createTempDir } from '../support/service.ts';
import { CLI } from '../support/service-process.ts';

/** In a name space of its own, where file systems may be mounted. */
const APART = ['--map-root-user', '--mount'];
const CAN_MOUNT =
  process.platform === 'linux' && spawnSync('unshare', [...APART, 'true'], { stdio: 'ignore' }).status === 0;

/** What a start says when `disk` is a file system that is read-only. */
function startOnReadOnly(disk: string, dataDir: string): { status: number | null; stderr: string } {
  const mounted = `mount -t tmpfs -o ro tmpfs '${disk}' && exec "$@"`;
  const command = [process.execPath, CLI, '--port', '0', '--data-dir', dataDir];
  return spawnSync('unshare', [...APART, 'sh', '-c', mounted, 'sh', ...command], { encoding: 'utf8' });
}

describe.runIf(CAN_MOUNT)('a first start on a read-only disk', () => {
  it.each(['', 'new', 'new/below'])('is refused in words, in the folder “%s” of it', async (name) => {
    const disk = join(await createTempDir(), 'disk');
    await mkdir(disk, { recursive: true });
    const dataDir = join(disk, name);
    const { status, stderr } = startOnReadOnly(disk, dataDir);
    expect(stderr).toBe(
      `${dataDir} can't be written (EROFS). Parley has to write there before it can start for the first time, or after an update. Make it writable, or choose another folder.\n`,
    );
    expect(status).toBe(1);
  });
});

it.each(['', 'below'])('a file where the folder “%s” should be is said to be in the way', async (name) => {
  const file = join(await createTempDir(), 'file');
  await writeFile(file, '');
  const dataDir = join(file, name);
  await expect(startService({ dataDir, port: 0 })).rejects.toThrow(
    /^.+file(.below)? can't be made: a file is/,
  );
});

it.runIf(process.platform === 'linux')('a file system that takes no folders is told of at once', async () => {
  const starting = startService({ dataDir: '/proc/parley/data', port: 0 });
  await expect(starting).rejects.toThrow(
    /^\/proc\/parley\/data can't be written \((?:ENOENT|EACCES)\)\..* choose another folder\.$/,
  );
});
