import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinPaths, readLoginPath } from '../../electron/login-path.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A shell whose start-up files do something first; like a shell, it then does what `-c` says. */
async function shell(startUp: string): Promise<string> {
  const path = join(folder, 'shell');
  await writeFile(path, `#!/bin/sh\n${startUp}\nexec /bin/sh -c "$2"\n`);
  await chmod(path, 0o755);
  return path;
}

describe.skipIf(process.platform === 'win32')('the PATH of the login shell', () => {
  it('is what its start-up files make of it, whatever they print', async () => {
    const path = await shell(`echo 'PATH=/wrong'; echo welcome; export PATH=/opt/mine:"$PATH"; echo more`);
    expect(await readLoginPath(path)).toBe(`/opt/mine:${process.env['PATH']}`);
  });

  it('is not waited for longer than allowed, nor by what a start-up file leaves behind', async () => {
    expect(await readLoginPath(await shell('sleep 600'), 200)).toBeNull();
    expect(await readLoginPath(await shell('sleep 600 &\nexport PATH=/opt/mine:/bin'))).toBe(
      '/opt/mine:/bin',
    );
  });

  it('is unknown where there is no shell, or one that fails', async () => {
    expect(await readLoginPath('')).toBeNull();
    expect(await readLoginPath(join(folder, 'none'))).toBeNull();
    expect(await readLoginPath(await shell('exit 1'))).toBeNull();
  });

  it('goes before the one that is there, each folder once', () => {
    expect(joinPaths('/opt/bin:/usr/bin', '/usr/bin:/bin:')).toBe('/opt/bin:/usr/bin:/bin');
  });
});
