import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OwnedError, ownDataDir } from '../../../../server/process/owner/owner.ts';
import { bundled } from '../../../support/bundled.ts';
import { eventually } from '../../../support/eventually.ts';
import { CAN_MOVE_OPEN } from '../../../support/platform.ts';
import { createTempDir, startTestService } from '../../../support/service.ts';

const OTHER_NAMESPACES = ['unshare', '--kill-child', '--mount', '--pid', '--net', '--fork', '--mount-proc'];
const CAN_UNSHARE =
  process.platform === 'linux' &&
  spawnSync('unshare', [...OTHER_NAMESPACES.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
const ENTRY = fileURLToPath(bundled('own-folder'));

/** A process that claims the folder; resolves with it once it has said what came of that. */
async function claimant(dataDir: string, by: string[] = []): Promise<{ child: ChildProcess; said: string }> {
  const [program, ...args] = [...by, process.execPath, ENTRY, dataDir];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, said: said.trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const claim = (dataDir: string): Promise<unknown> =>
  ownDataDir(dataDir).then(
    (ownership) => {
      onTestFinished(() => ownership.release());
      return ownership;
    },
    (error: unknown) => error,
  );
/** What an owner that listens at port 4141 would write. */
const sayAddress = (dataDir: string): Promise<void> =>
  writeFile(
    join(dataDir, 'connection.json'),
    JSON.stringify({ baseUrl: 'http://127.0.0.1:4141', apiKey: 'a', publicKey: 'b', pid: process.pid }),
  );

describe('a data folder', () => {
  it('has one owner, however many ask for it at once', async () => {
    const dataDir = await createTempDir();
    const claims = Array.from({ length: 8 }, async () => {
      const ownership = await ownDataDir(dataDir);
      await sayAddress(dataDir);
      onTestFinished(() => ownership.release());
    });
    const outcomes = await Promise.allSettled(claims);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(OwnedError);
    }
  });

  it('has one owner, too, where its lock file was damaged', async () => {
    const dataDir = await createTempDir();
    const path = join(dataDir, 'owner.sqlite');
    await writeFile(path, 'x'.repeat(5_000));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => claimant(dataDir)));
    expect(outcomes.filter(({ said }) => said === 'mine')).toHaveLength(1);
    await writeFile(path, 'x'.repeat(5_000));
    expect(await claim(dataDir)).toBeInstanceOf(OwnedError);
  });

  it('with something else in the place of the lock file is refused, and the path told', async () => {
    const dataDir = await createTempDir();
    const path = join(dataDir, 'owner.sqlite');
    await mkdir(path);
    await expect(ownDataDir(dataDir)).rejects.toThrow(`${path} is not a file`);
  });

  it('is free again at once when its owner was killed', async () => {
    const dataDir = await createTempDir();
    const { child, said } = await claimant(dataDir);
    expect(said).toBe('mine');
    await kill(child);
    expect(await claim(dataDir)).not.toBeInstanceOf(Error);
  });

  it.runIf(process.platform !== 'win32')('stays with an owner that is paused', async () => {
    const dataDir = await createTempDir();
    const { child } = await claimant(dataDir);
    child.kill('SIGSTOP');
    expect(await claim(dataDir)).toBeInstanceOf(OwnedError);
  });

  it.skipIf(!CAN_UNSHARE)('is seen to be owned from other namespaces', async () => {
    const dataDir = await createTempDir();
    const first = await claimant(dataDir);
    const inside = await claimant(dataDir, OTHER_NAMESPACES);
    expect(inside.said).toContain('already running');
    await kill(first.child);
    const second = await claimant(dataDir, OTHER_NAMESPACES);
    expect(second.said).toBe('mine');
    const outside = (await claim(dataDir)) as OwnedError;
    expect(outside).toBeInstanceOf(OwnedError);
    expect(outside.owner.baseUrl).toBe('http://127.0.0.1:4141');
  });

  it('can lie deeper than the path of a socket may be long', async () => {
    const dataDir = join(await createTempDir(), 'x'.repeat(100), 'y'.repeat(100));
    await mkdir(dataDir, { recursive: true });
    await claimant(dataDir);
    expect(await claim(dataDir)).toBeInstanceOf(OwnedError);
  });
});

describe.runIf(CAN_MOVE_OPEN)('a data folder that is deleted or moved while it is owned', () => {
  const own = async (dataDir: string): ReturnType<typeof ownDataDir> => {
    const ownership = await ownDataDir(dataDir);
    onTestFinished(() => ownership.release());
    await sayAddress(dataDir);
    ownership.onReclaim(() => sayAddress(dataDir));
    return ownership;
  };

  it('is made and claimed anew; the claim of one that is still there stays', async () => {
    const dataDir = join(await createTempDir(), 'data');
    await mkdir(dataDir);
    const ownership = await own(dataDir);
    const files = await readdir(dataDir);
    await ownership.reclaim();
    expect(await readdir(dataDir)).toEqual(files);
    await rm(dataDir, { recursive: true });
    await ownership.reclaim();
    expect(((await claim(dataDir)) as OwnedError).owner).toEqual({
      pid: process.pid,
      baseUrl: 'http://127.0.0.1:4141',
    });
    await rename(dataDir, `${dataDir}-moved`);
    await ownership.reclaim();
    expect(await claim(dataDir)).toBeInstanceOf(OwnedError);
    await ownership.release();
    expect(await claim(dataDir)).not.toBeInstanceOf(Error);
  });

  it('is left for good to who took what is there now', async () => {
    const dataDir = join(await createTempDir(), 'data');
    await mkdir(dataDir);
    const ownership = await own(dataDir);
    await rm(dataDir, { recursive: true });
    await mkdir(dataDir);
    const other = await own(dataDir);
    await expect(ownership.reclaim()).rejects.toThrow('another took its place');
    await other.release();
    await expect(ownership.reclaim()).rejects.toThrow('another took its place');
  });
});

describe.runIf(process.platform !== 'win32')('a claim that alone was removed from its folder', () => {
  it('is put back', async () => {
    const dataDir = await createTempDir();
    await claimant(dataDir);
    await rm(join(dataDir, 'owner.sqlite'));
    await eventually(async () => expect(await readdir(dataDir)).toContain('owner.sqlite'));
    await eventually(async () => expect(await claim(dataDir)).toBeInstanceOf(OwnedError));
    if (CAN_UNSHARE) expect((await claimant(dataDir, OTHER_NAMESPACES)).said).toContain('already running');
  });

  it('holds until then while the owner answers at its address', async () => {
    const { service } = await startTestService();
    await rm(join(service.dataDir, 'owner.sqlite'));
    expect((await claimant(service.dataDir)).said).toContain(`already running on ${service.dataDir}`);
    await eventually(async () => expect(await readdir(service.dataDir)).toContain('owner.sqlite'));
  });
});

/** A claim that nobody else can write a file for: on a disk that is read-only. */
describe.runIf(CAN_UNSHARE)('a data folder on a read-only disk', () => {
  const READ_ONLY = ['unshare', '--kill-child', '--mount', '--fork', 'sh', '-c'];
  const readOnly = (dataDir: string): string[] => [
    ...READ_ONLY,
    `mount --bind '${dataDir}' '${dataDir}' && mount -o remount,ro,bind '${dataDir}' && exec "$0" "$@"`,
  ];

  it('is not taken from an owner that can write to it, nor by one from a reader', async () => {
    const dataDir = await createTempDir();
    const first = await claimant(dataDir);
    expect((await claimant(dataDir, readOnly(dataDir))).said).toContain('already running');
    await kill(first.child);
    await claimant(dataDir, readOnly(dataDir));
    expect(await claim(dataDir)).toBeInstanceOf(OwnedError);
  });
});
