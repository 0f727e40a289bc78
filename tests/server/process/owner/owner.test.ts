import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimAbstract } from '../../../../server/process/owner/abstract-socket.ts';
import { claimFolderSocket } from '../../../../server/process/owner/folder-socket.ts';
import { parseOwner } from '../../../../server/process/owner/owner-words.ts';
import { OwnedError, type Ownership, ownDataDir } from '../../../../server/process/owner/owner.ts';
import { eventually } from '../../../support/eventually.ts';
import { createTempDir } from '../../../support/service.ts';

const IS_LINUX = process.platform === 'linux';
const OTHER_NAMESPACES = ['unshare', '--kill-child', '--mount', '--pid', '--net', '--fork', '--mount-proc'];
const CAN_UNSHARE =
  IS_LINUX && spawnSync('unshare', [...OTHER_NAMESPACES.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
const ENTRY = fileURLToPath(new URL('../../../support/own-folder.ts', import.meta.url));

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
const socketsIn = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith('owner-'));

describe('a data folder', () => {
  it('has one owner, however many ask for it at once', async () => {
    const dataDir = await createTempDir();
    const claims = Array.from({ length: 8 }, async () => {
      const ownership = await ownDataDir(dataDir);
      ownership.announce('http://127.0.0.1:4141');
      onTestFinished(() => ownership.release());
    });
    const outcomes = await Promise.allSettled(claims);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(OwnedError);
    }
  });

  it('is free again at once when its owner was killed, and nothing of that one stays', async () => {
    const dataDir = await createTempDir();
    const { child, said } = await claimant(dataDir);
    expect(said).toBe('mine');
    await kill(child);
    expect(await claim(dataDir)).not.toBeInstanceOf(Error);
    expect(await socketsIn(dataDir)).toHaveLength(IS_LINUX ? 1 : 0);
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

  it.runIf(IS_LINUX)(
    'is not kept from its owner by who takes the name that was once used for it',
    async () => {
      const dataDir = await createTempDir();
      const { dev, ino } = await stat(dataDir, { bigint: true });
      const squatter = createServer((socket) => socket.end('{"pid":1,"baseUrl":"http://evil.example"}'));
      squatter.listen(`\0parley-${hash('sha256', `${dev}:${ino}`, 'hex').slice(0, 32)}`);
      await once(squatter, 'listening');
      onTestFinished(() => void squatter.close());
      expect(await claim(dataDir)).not.toBeInstanceOf(Error);
    },
  );

  it.runIf(IS_LINUX)('that other computers share is not taken from one of theirs', async () => {
    const dataDir = await createTempDir();
    const theirs = 'owner-00000000-89abcdef.sock';
    await writeFile(join(dataDir, theirs), '');
    await expect(claimFolderSocket(dataDir, true)).rejects.toThrow(theirs);
    expect(await readdir(dataDir)).toEqual([theirs]);
    const claimed = await claimFolderSocket(dataDir, false);
    if (claimed === null || !('held' in claimed)) throw new Error('It was not claimed.');
    await claimed.held.release();
    expect(await readdir(dataDir)).toEqual([]);
  });
});

const PROGRAM = `require('net').createServer((s) => s.write('x'.repeat(5000))).listen('\\0' + process.argv[1], () => console.log('up'))`;

async function holder(name: string, identity: { uid?: number } = {}): Promise<void> {
  const child = spawn(process.execPath, ['-e', PROGRAM, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...identity,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}

/** Where a folder can hold no socket. */
describe.runIf(IS_LINUX)('an abstract name', () => {
  const newName = (): string => `parley-test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const inPlace = (): Promise<boolean> => Promise.resolve(true);

  it('is looked at also where the folder can hold a socket: it may have been full when its owner came', async () => {
    const dataDir = await createTempDir();
    const { dev, ino } = await stat(dataDir, { bigint: true });
    await holder(`parley-${hash('sha256', `${dev}:${ino}`, 'hex').slice(0, 32)}`);
    expect(await claim(dataDir)).toBeInstanceOf(OwnedError);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('belongs to who has it, also when that one is too busy to say who it is', async () => {
    const name = newName();
    await holder(name);
    const warnings: string[] = [];
    expect(await claimAbstract(name, inPlace, (line) => warnings.push(line))).toEqual({
      owner: { pid: null, baseUrl: null },
    });
    expect(warnings).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'that another user took does not keep Parley from starting',
    async () => {
      const name = newName();
      await holder(name, { uid: 65_534 });
      const warnings: string[] = [];
      expect(await claimAbstract(name, inPlace, (line) => warnings.push(line))).toHaveProperty('held');
      expect(warnings).toHaveLength(1);
    },
  );
});

describe('a data folder that is deleted or moved while it is owned', () => {
  const own = async (dataDir: string): Promise<Ownership> => {
    const ownership = await ownDataDir(dataDir);
    onTestFinished(() => ownership.release());
    ownership.announce('http://127.0.0.1:4141');
    return ownership;
  };

  it('is made and claimed anew; the claim of one that is still there stays', async () => {
    const dataDir = join(await createTempDir(), 'data');
    await mkdir(dataDir);
    const ownership = await own(dataDir);
    const files = await readdir(dataDir);
    await ownership.renew();
    expect(await readdir(dataDir)).toEqual(files);
    await rm(dataDir, { recursive: true });
    await ownership.renew();
    expect(((await claim(dataDir)) as OwnedError).owner).toEqual({
      pid: process.pid,
      baseUrl: 'http://127.0.0.1:4141',
    });
    await rename(dataDir, `${dataDir}-moved`);
    await ownership.renew();
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
    await expect(ownership.renew()).rejects.toBeInstanceOf(OwnedError);
    await other.release();
    await expect(ownership.renew()).rejects.toBeInstanceOf(OwnedError);
  });
});

describe.runIf(IS_LINUX)('a claim that alone was removed from its folder', () => {
  it('holds, and is put back for those who can see nothing else', async () => {
    const dataDir = await createTempDir();
    await claimant(dataDir);
    for (const name of await socketsIn(dataDir)) await rm(join(dataDir, name));
    expect(await claim(dataDir)).toBeInstanceOf(OwnedError);
    await eventually(async () => expect(await socketsIn(dataDir)).toHaveLength(1));
    if (CAN_UNSHARE) expect((await claimant(dataDir, OTHER_NAMESPACES)).said).toContain('already running');
  });
});

describe('what an owner says', () => {
  it('is believed where it makes sense', () => {
    expect(parseOwner('{"pid":7,"baseUrl":"http://127.0.0.1:4141"}')).toEqual({
      pid: 7,
      baseUrl: 'http://127.0.0.1:4141',
    });
  });

  it.each([
    'http://evil.example',
    'http://127.0.0.1:4141@evil.example',
    'http://127.0.0.1:4141/#token=x',
    'http://127.0.0.1:99999',
    'http://127.0.0.1:0',
    'http://127.0.0.1:4141\n\u001b[2J',
    'file:///etc/passwd',
    'https://127.0.0.1:4141',
    7,
  ])('leads nowhere else: %j', (baseUrl) => {
    expect(parseOwner(JSON.stringify({ pid: 7, baseUrl }))).toEqual({ pid: 7, baseUrl: null });
  });

  it.each([
    '',
    'null',
    '[]',
    '7',
    '{',
    '{"pid":-1}',
    '{"pid":1.5}',
    '{"pid":"7"}',
    `{"pid":7,"x":"${'x'.repeat(2_000)}"}`,
  ])('counts as nothing: %j', (text) => {
    expect(parseOwner(text)).toEqual({ pid: null, baseUrl: null });
  });
});
