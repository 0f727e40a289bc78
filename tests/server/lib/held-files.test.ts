import callbackFs, { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import { saveDownload } from '../../../server/cli/save-download.ts';
import { createBackupFolder } from '../../../server/data/backup-folder.ts';
import { createBlobFolder } from '../../../server/files/blob-folder.ts';
import { openHeld, renameFile, withReadable } from '../../../server/lib/held-files.ts';
import { writePrivateFile } from '../../../server/lib/private-file.ts';
import { nodeDisk } from '../../../server/store/disk.ts';
import { openStore } from '../../../server/store/store.ts';
import { openAllowedFolders } from '../../support/allowed-folders.ts';
import { createTempDir, startTestService } from '../../support/service.ts';

vi.mock(import('node:fs/promises'), { spy: true });

type OpenFile = (
  path: string,
  flags: string | number,
  mode: number,
  done: (error: Error | null, fd: number) => void,
) => void;
const refusal = (code: string): Error => Object.assign(new Error(code), { code });
let dir: string;
beforeEach(async () => {
  vi.restoreAllMocks();
  dir = await createTempDir();
});

describe.each(['EBUSY', 'EPERM', 'EACCES'])('while another program holds files (%s)', (code) => {
  const holdTwice = (): void => {
    vi.mocked(fs.rename).mockRejectedValueOnce(refusal(code)).mockRejectedValueOnce(refusal(code));
    vi.mocked(fs.rm).mockRejectedValueOnce(refusal(code)).mockRejectedValueOnce(refusal(code));
  };

  it('a key is written, and leaves no copy behind', async () => {
    vi.mocked(fs.rename).mockRejectedValueOnce(refusal(code)).mockRejectedValueOnce(refusal(code));
    await writePrivateFile(join(dir, 'secrets.json'), 'text');
    expect(await fs.readdir(dir)).toEqual(['secrets.json']);
  });

  it('a store begins, keeps what is written, and is compacted', async () => {
    holdTwice();
    const store = await openStore({ dir, disk: nodeDisk() });
    await store.write((writer) =>
      writer.run("INSERT INTO workspaces (id, name, created_at) VALUES ('w', 'W', '')"),
    );
    holdTwice();
    await store.compact({ dropPrevious: true });
    expect(store.writable).toBe(true);
    await store.close();
  });

  it('a file of a message is kept', async () => {
    holdTwice();
    const folder = createBlobFolder(nodeDisk(), dir);
    const draft = await folder.write(piecesOf('text'));
    await draft.commit();
    expect(await folder.list()).toEqual([draft.sha256]);
    await folder.remove([draft.sha256]);
    expect(await folder.list()).toEqual([]);
  });

  it('a backup is made', async () => {
    await fs.writeFile(join(dir, 'left.tmp'), '');
    holdTwice();
    const folder = createBackupFolder(dir);
    async function* text(): AsyncGenerator<string> {
      yield '{}';
    }
    const { name } = await folder.write(text(), new Date(), () => Promise.resolve());
    expect(existsSync(join(dir, name))).toBe(true);
  });
});

const WRITES = callbackFs.constants.O_WRONLY | callbackFs.constants.O_RDWR;

describe('while every file is held', () => {
  /** What was renamed, removed or read, each after two refusals. */
  let changed: Set<string>;
  let hold: (path: string, code?: string) => void;
  beforeEach(async () => {
    changed = new Set();
    const refusals = new Map<string, number>();
    hold = (path, code = ['EBUSY', 'EPERM', 'EACCES'][refusals.size % 3]) => {
      const count = (refusals.get(path) ?? 0) + 1;
      refusals.set(path, count % 3);
      if (count < 3) throw refusal(code ?? '');
      changed.add(basename(path));
    };
    const real = await vi.importActual<typeof fs>('node:fs/promises');
    const holding =
      <T extends unknown[]>(change: (path: string, ...rest: T) => Promise<void>) =>
      async (path: unknown, ...rest: T) => {
        // Those of the tests themselves are whole folders.
        if (!JSON.stringify(rest).includes('recursive')) hold(String(path));
        await change(String(path), ...rest);
      };
    vi.mocked(fs.rename).mockImplementation(holding(real.rename));
    vi.mocked(fs.rm).mockImplementation(holding(real.rm));
    vi.mocked(fs.link).mockImplementation(holding(real.link));
    const open = callbackFs.open as OpenFile;
    // Reads are refused, too.
    vi.spyOn(callbackFs as { open: OpenFile }, 'open').mockImplementation((path, flags, mode, done) => {
      try {
        if (typeof flags === 'number' && (flags & WRITES) === 0) hold(path, 'EBUSY');
        open(path, flags, mode, done);
      } catch (error) {
        done(error as Error, -1);
      }
    });
  });

  test('a service starts, saves, and deletes for good', async () => {
    const start = () => startTestService({ dataDir: dir, store: { disk: nodeDisk() } });
    for (const name of ['secrets.json.tmp', 'import-1.tmp']) await fs.writeFile(join(dir, name), 'sk-old');
    const api = await start();
    const chat = await api.createChat();
    const file = { name: 'list.csv', data: Buffer.from('a,b\n1,2\n').toString('base64') };
    const key = {
      provider: 'openai_compatible',
      name: 'Box',
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: 'sk-new',
    };
    const exported = (await api.get('/api/v1/export?format=json')).json<object>();
    const sent = [
      await api.post('/api/v1/files?name=notes.txt', undefined, { body: 'notes' }),
      await api.post(`/api/v1/chats/${chat.id}/messages?wait=30`, { content: '2 + 2', attachments: [file] }),
      await api.post('/api/v1/backups'),
      await api.post('/api/v1/connections', key),
      await api.post('/api/v1/import', exported),
      await api.post('/api/v1/import/preview', exported),
      await api.request({ method: 'DELETE', path: `/api/v1/chats/${chat.id}?permanent=true` }),
    ];
    const [backup] = (await api.get('/api/v1/backups')).json<{ backups: { name: string }[] }>().backups;
    const path = `/api/v1/backups/${backup?.name ?? ''}`;
    sent.push(await api.get(path));
    expect(changed).toContain(backup?.name);
    sent.push(await api.post(`${path}/restore`), await api.request({ method: 'DELETE', path }));
    sent.push(await api.post('/api/v1/keys/local/rotate'));
    expect(sent.map(({ status, text }) => (status < 300 ? '' : text))).toEqual(sent.map(() => ''));
    expect(sent[6]?.text).not.toContain('not_compacted');
    await api.service.close();
    const left = await fs.readdir(dir, { recursive: true });
    expect(left.filter((name) => /tmp|import/.test(name))).toEqual([]);
    expect(await fs.readFile(join(dir, 'secrets.json'), 'utf8')).not.toContain('sk-old');
    for (const name of [
      'secrets.json.tmp',
      'local-key.tmp',
      'identity.tmp',
      'connection.json.tmp',
      'import.tmp',
    ])
      expect(changed).toContain(name);
    expect((await (await start()).get('/api/v1/chats')).status).toBe(200);
  });

  test('a tool writes, and a download is saved', async () => {
    const files = await openAllowedFolders();
    await files.run('write_file', { path: 'Notes/a.md', text: 'one' });
    await files.run('write_file', { path: 'Notes/a.md', text: 'two' });
    expect(await fs.readFile(join(files.notes, 'a.md'), 'utf8')).toBe('two');
    const output = join(dir, 'chat.md');
    await saveDownload(new Response('one'), { output });
    await saveDownload(new Response('two'), { output, force: true });
    expect(await fs.readFile(output, 'utf8')).toBe('two');
    expect(await fs.readdir(dir)).toEqual(['chat.md']);
  });
});

test('no other module of the service renames or removes files', async () => {
  const root = fileURLToPath(new URL('../../../server', import.meta.url));
  const found: string[] = [];
  for (const name of await fs.readdir(root, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const text = await fs.readFile(join(root, name), 'utf8');
    if (
      /import \{[^}]*\b(?:rename|rm|rmdir|unlink)(?:Sync)?\b[^}]*\} from 'node:fs|import fsp? from/.test(text)
    )
      found.push(basename(name));
  }
  // The cache of compiled code is removed when it can be.
  expect(found.sort()).toEqual(['compile-cache.ts', 'disk.ts', 'held-files.ts']);
});

test('a file that cannot be read for a moment is waited for', async () => {
  const path = join(dir, 'import.tmp');
  await fs.writeFile(path, '{}');
  vi.mocked(fs.open).mockRejectedValueOnce(refusal('EBUSY')).mockRejectedValueOnce(refusal('EBUSY'));
  const descriptor = async (): Promise<number> => {
    const opened = vi.mocked(fs.open).mock.results.at(-1)?.value as Promise<fs.FileHandle>;
    return (await opened).fd;
  };
  expect(await withReadable(path, descriptor)).toBeGreaterThan(0);
  expect(fs.open).toHaveBeenCalledTimes(3);
  expect(await descriptor()).toBe(-1);
  expect(await withReadable(join(dir, 'none'), () => Promise.resolve('done'))).toBe('done');
});

test('a folder that cannot be listed for a moment is waited for', async () => {
  vi.mocked(fs.readdir).mockRejectedValueOnce(refusal('EBUSY')).mockRejectedValueOnce(refusal('EBUSY'));
  const store = await openStore({ dir });
  expect(store.writable).toBe(true);
  await store.close();
});

test('a file that stays held is reported after a while', async () => {
  vi.mocked(fs.rename).mockRejectedValue(refusal('EBUSY'));
  await expect(renameFile(join(dir, 'a'), join(dir, 'b'))).rejects.toMatchObject({ code: 'EBUSY' });
  expect(vi.mocked(fs.rename).mock.calls.length).toBeGreaterThan(3);
});

test('a missing permission to read is reported at once', async () => {
  const read = vi.fn().mockRejectedValue(refusal('EACCES'));
  await expect(openHeld(read)).rejects.toMatchObject({ code: 'EACCES' });
  expect(read).toHaveBeenCalledOnce();
});

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
