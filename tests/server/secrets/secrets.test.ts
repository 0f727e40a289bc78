import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSecrets, type SecretBox, type SecretsOptions } from '../../../server/secrets/secrets.ts';
import { modeOf, PRIVATE_FILE } from '../../support/platform.ts';
import { createTempDir, startTestService } from '../../support/service.ts';

/** A key store that turns a text round; `refuses` makes it do as one that is locked, `key` as one with another key. */
interface TestBox extends SecretBox {
  key: number;
  refuses: boolean;
  asked: number;
}

function createBox(): TestBox {
  const turned = (text: string): string => Array.from(text).reverse().join('');
  const box: TestBox = {
    key: 1,
    refuses: false,
    asked: 0,
    seal: (text) => answer(() => Buffer.from(`${box.key}${turned(text)}`).toString('base64')),
    open: (sealed) =>
      answer(() => {
        const [key, ...text] = Buffer.from(sealed, 'base64').toString();
        return { text: turned(text.join('')), isStale: key !== String(box.key) };
      }),
  };
  const answer = async <T>(give: () => T): Promise<T> => {
    box.asked += 1;
    await delay(1);
    if (box.refuses) throw new Error('locked');
    return give();
  };
  return box;
}

const HEADLESS = (): Promise<null> => Promise.resolve(null);

function open(
  dataDir: string,
  openBox: SecretsOptions['openBox'] = HEADLESS,
): ReturnType<typeof createSecrets> & { lines: string[] } {
  const lines: string[] = [];
  return Object.assign(createSecrets({ dataDir, openBox, log: (line) => lines.push(line) }), { lines });
}

const fileOf = (dataDir: string): Promise<string> => readFile(join(dataDir, 'secrets.json'), 'utf8');
const present = (text: string): object => ({ state: 'present', text });

describe('without a box', () => {
  it('keeps secrets over restarts in a file that only its owner may read, and says so once', async () => {
    const dataDir = await createTempDir();
    const first = open(dataDir);
    await first.write('provider:a', 'sk-one');
    await first.write('provider:b', 'line\nmore “text” \u{1F600}');
    expect(await modeOf(join(dataDir, 'secrets.json'))).toBe(PRIVATE_FILE);
    expect(first.lines).toHaveLength(1);
    expect(first.lines[0]).toContain(join(dataDir, 'secrets.json'));
    expect(first.lines.join()).not.toContain('sk-one');
    const second = open(dataDir);
    expect(await second.read('provider:a')).toEqual(present('sk-one'));
    expect(await second.read('provider:b')).toEqual(present('line\nmore “text” \u{1F600}'));
    expect(await second.names()).toEqual(['provider:a', 'provider:b']);
    expect(second.lines).toEqual([]);
  });

  it('replaces and removes', async () => {
    const dataDir = await createTempDir();
    const secrets = open(dataDir);
    expect(await secrets.read('a')).toEqual({ state: 'absent' });
    expect(await secrets.remove('a')).toBe(false);
    await secrets.write('a', 'one');
    await secrets.write('a', 'two');
    expect(await secrets.read('a')).toEqual(present('two'));
    expect(await secrets.remove('a')).toBe(true);
    expect(await fileOf(dataDir)).not.toContain('two');
    expect(await open(dataDir).read('a')).toEqual({ state: 'absent' });
  });

  it('makes no file as long as there is no secret', async () => {
    const dataDir = await createTempDir();
    const secrets = open(dataDir);
    expect([await secrets.names(), await secrets.read('a')]).toEqual([[], { state: 'absent' }]);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('makes a file private that was not', async () => {
    const dataDir = await createTempDir();
    await open(dataDir).write('a', 'x');
    await chmod(join(dataDir, 'secrets.json'), 0o644);
    expect(await open(dataDir).read('a')).toEqual(present('x'));
    expect(await modeOf(join(dataDir, 'secrets.json'))).toBe(PRIVATE_FILE);
  });

  it.each(['constructor', '__proto__', 'tostring', 'a.b:c-d', '0', 'x'.repeat(100)])(
    'takes the name %j',
    async (name) => {
      const dataDir = await createTempDir();
      expect(await open(dataDir).read(name)).toEqual({ state: 'absent' });
      await open(dataDir).write(name, '');
      expect(await open(dataDir).read(name)).toEqual(present(''));
    },
  );

  it('loses none of many that are written at once, and leaves no temporary file', async () => {
    const dataDir = await createTempDir();
    const secrets = open(dataDir);
    const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const writes = names.map((name) => secrets.write(name, `of ${name}`));
    const read = secrets.read('s39');
    await secrets.close();
    expect(await read).toEqual(present('of s39'));
    await Promise.all(writes);
    const again = open(dataDir);
    for (const name of names) expect(await again.read(name)).toEqual(present(`of ${name}`));
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
  });
});

describe('with a box', () => {
  it('keeps what only the box opens, and asks for the box only when a secret is asked for', async () => {
    const dataDir = await createTempDir();
    const box = createBox();
    let opened = 0;
    const openBox = (): Promise<SecretBox> => {
      opened += 1;
      return Promise.resolve(box);
    };
    const secrets = open(dataDir, openBox);
    expect([await secrets.names(), await secrets.read('a')]).toEqual([[], { state: 'absent' }]);
    expect(opened).toBe(0);
    await secrets.write('a', 'sk-one');
    expect(await secrets.read('a')).toEqual(present('sk-one'));
    expect(opened).toBe(1);
    expect(await fileOf(dataDir)).not.toContain('sk-one');
    expect(secrets.lines).toEqual([]);
    expect(await open(dataDir, openBox).read('a')).toEqual(present('sk-one'));
  });

  it('seals at once what it finds as it is', async () => {
    const dataDir = await createTempDir();
    await open(dataDir).write('a', 'sk-one');
    const box = createBox();
    expect(await open(dataDir, () => Promise.resolve(box)).read('a')).toEqual(present('sk-one'));
    expect(await fileOf(dataDir)).not.toContain('sk-one');
    expect(await open(dataDir, () => Promise.resolve(box)).read('a')).toEqual(present('sk-one'));
  });

  it('seals anew what was sealed with a key that it has replaced', async () => {
    const dataDir = await createTempDir();
    const box = createBox();
    const openBox = (): Promise<SecretBox> => Promise.resolve(box);
    await open(dataDir, openBox).write('a', 'sk-one');
    const before = await fileOf(dataDir);
    expect(await open(dataDir, openBox).read('a')).toEqual(present('sk-one'));
    expect(await fileOf(dataDir)).toBe(before);
    box.key = 2;
    expect(await open(dataDir, openBox).read('a')).toEqual(present('sk-one'));
    expect(await fileOf(dataDir)).not.toBe(before);
    expect(await open(dataDir, openBox).read('a')).toEqual(present('sk-one'));
  });

  it('that refuses keeps nobody from what stands there as it is, and seals that later', async () => {
    const dataDir = await createTempDir();
    await open(dataDir).write('a', 'sk-one');
    const box = createBox();
    box.refuses = true;
    const secrets = open(dataDir, () => Promise.resolve(box));
    expect(await secrets.read('a')).toEqual(present('sk-one'));
    expect(await fileOf(dataDir)).toContain('sk-one');
    box.refuses = false;
    await secrets.read('a');
    expect(await fileOf(dataDir)).not.toContain('sk-one');
  });

  it('that has no key of its own any more opens what it sealed, and seals nothing', async () => {
    const dataDir = await createTempDir();
    const box = createBox();
    await open(dataDir, () => Promise.resolve(box)).write('a', 'sk-one');
    const secrets = open(dataDir, () => Promise.resolve({ ...box, seal: null }));
    await secrets.write('b', 'sk-two');
    expect(await fileOf(dataDir)).toContain('sk-two');
    expect(await secrets.read('a')).toEqual(present('sk-one'));
    expect(await fileOf(dataDir)).toContain('sk-one');
    expect(await open(dataDir).read('a')).toEqual(present('sk-one'));
  });

  it('locks what it does not open, and loses nothing', async () => {
    const dataDir = await createTempDir();
    const box = createBox();
    const secrets = open(dataDir, () => Promise.resolve(box));
    await secrets.write('a', 'sk-one');
    box.refuses = true;
    expect(await secrets.read('a')).toMatchObject({
      state: 'locked',
      reason: expect.stringMatching(/./) as string,
    });
    await expect(secrets.write('a', 'sk-two')).rejects.toMatchObject({ code: 'conflict' });
    await expect(secrets.write('b', 'sk-two')).rejects.toMatchObject({ code: 'conflict' });
    expect(await fileOf(dataDir)).not.toContain('sk-two');
    expect(secrets.lines.join()).not.toContain('sk-');
    box.refuses = false;
    expect(await secrets.read('a')).toEqual(present('sk-one'));
    expect(await secrets.names()).toEqual(['a']);
  });

  it('that can not be had is asked for again', async () => {
    const dataDir = await createTempDir();
    const box = createBox();
    let isThere = false;
    const secrets = open(dataDir, () => (isThere ? Promise.resolve(box) : Promise.reject(new Error('no'))));
    await expect(secrets.write('a', 'x')).rejects.toMatchObject({ code: 'conflict' });
    isThere = true;
    await secrets.write('a', 'x');
    expect(await secrets.read('a')).toEqual(present('x'));
  });

  it('leaves secrets locked for a host without one, until they are written anew or removed', async () => {
    const dataDir = await createTempDir();
    const box = createBox();
    const sealed = open(dataDir, () => Promise.resolve(box));
    for (const name of ['a', 'b', 'c']) await sealed.write(name, `old ${name}`);
    const headless = open(dataDir);
    expect(await headless.read('a')).toMatchObject({
      state: 'locked',
      reason: expect.stringContaining('desktop app') as string,
    });
    expect(await headless.names()).toEqual(['a', 'b', 'c']);
    await headless.write('b', 'new b');
    expect(await headless.remove('c')).toBe(true);
    const again = open(dataDir, () => Promise.resolve(box));
    expect(await again.read('a')).toEqual(present('old a'));
    expect(await again.read('b')).toEqual(present('new b'));
    expect(await again.read('c')).toEqual({ state: 'absent' });
  });
});

describe('a file with something wrong', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', '{"version":1,'],
    ['another thing', '[1]'],
    ['no secrets', '{"version":1}'],
    ['an older thing', '{"version":0,"secrets":{}}'],
    ['an odd secret', '{"version":1,"secrets":{"a":{"how":"file","text":"x"},"b":7}}'],
  ])('is left as it is, and says what to do: %s', async (_what, content) => {
    const dataDir = await createTempDir();
    const path = join(dataDir, 'secrets.json');
    await writeFile(path, content);
    const secrets = open(dataDir);
    const reason = expect.stringContaining('Move secrets.json out of the data folder') as string;
    expect(await secrets.read('a')).toEqual({ state: 'locked', reason });
    await expect(secrets.write('a', 'x')).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: reason,
    });
    expect(await secrets.names()).toEqual([]);
    expect(await fileOf(dataDir)).toBe(content);
    await rm(path);
    await secrets.write('a', 'x');
    expect(await open(dataDir).read('a')).toEqual(present('x'));
  });

  it('is left alone when a newer version wrote it', async () => {
    const dataDir = await createTempDir();
    const content = '{"version":2,"vault":"…"}';
    await writeFile(join(dataDir, 'secrets.json'), content);
    const secrets = open(dataDir);
    expect(await secrets.read('a')).toMatchObject({
      state: 'locked',
      reason: expect.stringContaining('newer version') as string,
    });
    await expect(secrets.write('a', 'x')).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await secrets.names()).toEqual([]);
    expect(await fileOf(dataDir)).toBe(content);
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
  });

  it('or that can not be read locks what is in it, and is read when it can be', async () => {
    const dataDir = await createTempDir();
    await mkdir(join(dataDir, 'secrets.json'));
    const secrets = open(dataDir);
    expect(await secrets.read('a')).toMatchObject({ state: 'locked' });
    await expect(secrets.write('a', 'x')).rejects.toMatchObject({ code: 'storage_unavailable' });
    await rm(join(dataDir, 'secrets.json'), { recursive: true });
    await secrets.write('a', 'x');
    expect(await open(dataDir).read('a')).toEqual(present('x'));
  });

  it('or a disk that refuses leaves what was there, in memory and on disk', async () => {
    const dataDir = await createTempDir();
    const secrets = open(dataDir);
    await secrets.write('a', 'one');
    // The temporary file can't be replaced by one.
    await mkdir(join(dataDir, 'secrets.json.tmp', 'in the way'), { recursive: true });
    onTestFinished(() => rm(join(dataDir, 'secrets.json.tmp'), { recursive: true, force: true }));
    await expect(secrets.write('a', 'two')).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(secrets.remove('a')).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await secrets.read('a')).toEqual(present('one'));
    expect(await open(dataDir).read('a')).toEqual(present('one'));
    await rm(join(dataDir, 'secrets.json.tmp'), { recursive: true });
    await secrets.write('a', 'two');
    expect(await open(dataDir).read('a')).toEqual(present('two'));
  });
});

describe('the service', () => {
  it('has the secrets of its data folder, sealed by its host, and no backup or store holds them', async () => {
    const dataDir = await createTempDir();
    const box = createBox();
    const first = await startTestService({ dataDir, openSecretBox: () => Promise.resolve(box) });
    await first.service.secrets.write('provider:x', 'sk-of-x');
    await first.post('/api/v1/backups', {});
    void first.service.secrets.write('late', 'sk-late');
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect(await second.service.secrets.read('provider:x')).toMatchObject({ state: 'locked' });
    expect(await second.service.secrets.names()).toEqual(['late', 'provider:x']);
    await second.service.close();
    const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
    for (const entry of names.filter((found) => found.isFile())) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect(bytes.includes('sk-of-x'), entry.name).toBe(false);
    }
  });
});
