import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DoctorRow } from '../../../server/cli/doctor.ts';
import { MIGRATIONS } from '../../../server/store/migrations.ts';
import { openStore } from '../../../server/store/store.ts';
import { eventually } from '../../support/eventually.ts';
import { hostedParley } from '../../support/parley.ts';
import { HAS_FILE_MODES } from '../../support/platform.ts';
import { createTempDir, startTestService } from '../../support/service.ts';

interface Report {
  isSound: boolean;
  findings: DoctorRow[];
}

/** What is found, by what was looked at, and the exit code. */
async function examine(dataDir: string): Promise<{ code: number | null; of: Record<string, DoctorRow> }> {
  const { code, stdout, stderr } = await hostedParley(['doctor', '--json', '--data-dir', dataDir]);
  expect(stderr).toBe('');
  const { isSound, findings } = JSON.parse(stdout) as Report;
  expect(isSound).toBe(code === 0);
  return { code, of: Object.fromEntries(findings.map((finding) => [finding.check, finding])) };
}

/** A data folder with a chat, whose service has ended. */
async function leaveFolder(): Promise<string> {
  const api = await startTestService();
  const { id } = await api.createChat();
  for (let sent = 0; sent < 5; sent += 1) await api.send(id, `What is ${sent} + 1?`);
  await api.settled(id);
  await api.service.close();
  return api.service.dataDir;
}

/** The files of a folder with all they hold. */
async function contents(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((path) => readFile(path, 'latin1')));
  return Object.fromEntries(files.map((path, index) => [path, texts[index] ?? '']));
}

describe('doctor', () => {
  it('finds nothing wrong with a service that runs, one that has ended, and where there is none yet', async () => {
    const { service } = await startTestService();
    const running = await examine(service.dataDir);
    expect(running.code).toBe(0);
    expect(running.of['Service']?.message).toContain(service.url);
    await service.close();
    const ended = await examine(service.dataDir);
    expect(ended.code).toBe(0);
    expect(ended.of['Store']).toMatchObject({ state: 'ok' });
    const none = await examine(join(await createTempDir(), 'none'));
    expect([none.code, none.of['Data folder']?.state]).toEqual([0, 'ok']);
  });

  it('tells people in columns, by words and signs', async () => {
    const { code, stdout } = await hostedParley(['doctor', '--data-dir', await createTempDir()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ Program +Parley/);
    expect(stdout).not.toContain('✗');
  });

  it('names damage and what is lost, and changes nothing', async () => {
    const dataDir = await leaveFolder();
    const store = join(dataDir, 'store');
    const copy = join(await createTempDir(), 'data');
    await cp(dataDir, copy, { recursive: true });
    const [log = ''] = (await readdir(store)).filter((name) => name.startsWith('log-'));
    const bytes = await readFile(join(copy, 'store', log));
    bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 200);
    await writeFile(join(copy, 'store', log), bytes);
    const before = await contents(copy);
    const { code, of } = await examine(copy);
    expect(code).toBe(1);
    expect(of['Store']).toMatchObject({ state: 'problem', message: expect.stringContaining(log) as string });
    expect(of['Store']?.advice).toContain('parley restore last');
    expect(await contents(copy)).toEqual(before);
  });

  it('says when the newest log, or the whole store, was deleted', async () => {
    const dataDir = await leaveFolder();
    const dir = join(dataDir, 'store');
    const store = await openStore({ dir });
    await store.compact({ dropPrevious: true });
    await store.close();
    const [log = ''] = (await readdir(dir)).filter((name) => name.startsWith('log-'));
    for (const [path, words] of [
      [join(dir, log), 'the newest log'],
      [dir, 'all files'],
    ] as const) {
      await rm(path, { recursive: true });
      const { code, of } = await examine(dataDir);
      expect(code).toBe(1);
      expect(of['Store']).toMatchObject({
        state: 'problem',
        message: expect.stringContaining(words) as string,
      });
    }
  });

  it('says when nothing of the store can be read', async () => {
    const dataDir = await leaveFolder();
    for (const name of await readdir(join(dataDir, 'store')))
      await writeFile(join(dataDir, 'store', name), 'x'.repeat(1_000));
    const { code, of } = await examine(dataDir);
    expect([code, of['Store']?.state]).toEqual([1, 'problem']);
  });

  it.runIf(HAS_FILE_MODES)('tells of rights that others have', async () => {
    const dataDir = await leaveFolder();
    await chmod(dataDir, 0o755);
    const { code, of } = await examine(dataDir);
    expect(code).toBe(1);
    expect(of['Permissions']).toMatchObject({ state: 'problem', advice: `chmod -R go-rwx '${dataDir}'` });
  });

  it('tells of files of messages that are missing', async () => {
    const api = await startTestService();
    const { id } = await api.createChat();
    const attachments = [{ name: 'a.txt', data: Buffer.from('one').toString('base64') }];
    await api.request({
      method: 'POST',
      path: `/api/v1/chats/${id}/messages`,
      json: { content: 'Read it', attachments },
    });
    await api.settled(id);
    await api.service.close();
    const { dataDir } = api.service;
    expect((await examine(dataDir)).of['Files']).toMatchObject({ state: 'ok' });
    await rm(join(dataDir, 'files'), { recursive: true });
    expect(await examine(dataDir)).toMatchObject({ code: 1, of: { Files: { state: 'problem' } } });
  });

  it('names what is in the place of a file that it needs', async () => {
    const names = ['owner.sqlite', 'local-key', 'identity', join('store', 'snapshot-99.sqlite')];
    for (const name of names) {
      const dataDir = await leaveFolder();
      const path = join(dataDir, name);
      await rm(path, { force: true, recursive: true });
      await mkdir(path);
      const { code, of } = await examine(dataDir);
      expect(code).toBe(1);
      expect(Object.values(of).filter(({ state }) => state === 'problem')).toMatchObject([
        { message: expect.stringContaining(path) as string },
      ]);
      await expect(startTestService({ dataDir })).rejects.toThrow(path);
    }
    const dataDir = await leaveFolder();
    const path = join(dataDir, 'store');
    await rm(path, { recursive: true });
    await writeFile(path, '');
    const message = expect.stringContaining(`${path} can't be made`) as string;
    expect(await examine(dataDir)).toMatchObject({ code: 1, of: { Store: { state: 'problem', message } } });
    await expect(startTestService({ dataDir })).rejects.toThrow(path);
  });

  it('says when a newer version wrote the store, and when there is none yet', async () => {
    const dataDir = await createTempDir();
    expect((await examine(dataDir)).of['Store']?.message).toContain('no store yet');
    const store = await openStore({ dir: join(dataDir, 'store'), migrations: [...MIGRATIONS, []] });
    await store.close();
    const message = expect.stringContaining('newer version') as string;
    expect(await examine(dataDir)).toMatchObject({ code: 1, of: { Store: { state: 'problem', message } } });
  });

  it('says, as a start does, when the file with the secrets is damaged', async () => {
    const dataDir = await leaveFolder();
    const path = join(dataDir, 'secrets.json');
    await writeFile(path, '{"version":1,"sec');
    const message = expect.stringContaining(`${path}: The file with the secrets is damaged`) as string;
    expect(await examine(dataDir)).toMatchObject({ code: 1, of: { Keys: { state: 'problem', message } } });
    const api = await startTestService({ dataDir });
    const notices = [{ code: 'secrets_unreadable', message }];
    await eventually(() => expect(api.log).toContainEqual(message));
    expect((await api.get('/api/v1/storage')).json()).toMatchObject({ storage: { notices } });
  });

  it('tells of a file in the folder’s place', async () => {
    const file = join(await createTempDir(), 'file');
    await writeFile(file, '');
    expect(await examine(file)).toMatchObject({ code: 1, of: { 'Data folder': { state: 'problem' } } });
    for (const path of [join(file, 'below'), join(file, 'far', 'below')]) {
      const message = expect.stringContaining('lies below a file') as string;
      expect(await examine(path)).toMatchObject({
        code: 1,
        of: { 'Data folder': { state: 'problem', message } },
      });
    }
  });
});
