import { mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, parse, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ToolList } from '../../shared/api/agent.ts';
import type { AllowedFolder, FolderAnswer, FolderList } from '../../shared/api/folder.ts';
import type { Step } from '../../shared/api/message.ts';
import { MAX_FOLDERS } from '../../shared/limits.ts';
import { rehearse } from '../support/rehearse.ts';
import {
  createTempDir,
  outcome,
  startTestService,
  type TestAnswer,
  type TestService,
} from '../support/service.ts';

let api: TestService;
let root: string;
beforeEach(async () => {
  root = await realpath(await createTempDir());
  api = await startTestService({ dataDir: join(root, 'home', 'parley-data') });
});

const folder = async (...names: string[]): Promise<string> => {
  const path = join(root, ...names);
  await mkdir(path, { recursive: true });
  return path;
};
const add = (path: unknown): Promise<TestAnswer> => api.post('/api/v1/folders', { path });
const added = async (path: string): Promise<AllowedFolder> => {
  const answer = await add(path);
  expect(answer.status, answer.text).toBe(201);
  return answer.json<FolderAnswer>().folder;
};
const list = async (): Promise<AllowedFolder[]> =>
  (await api.get('/api/v1/folders')).json<FolderList>().folders;
const remove = (id: string): Promise<TestAnswer> =>
  api.request({ method: 'DELETE', path: `/api/v1/folders/${id}` });

describe('an allowed folder', () => {
  it('is on the list by its real path until it is taken off, and is itself left alone', async () => {
    const path = await folder('My  Notes');
    await symlink(path, join(root, 'link'));
    const made = await added(`${join(root, 'link')}/`);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'My Notes',
      path,
      available: true,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect(await list()).toEqual([made]);
    expect((await remove(made.id)).json<FolderAnswer>().folder).toEqual(made);
    expect(await list()).toEqual([]);
    expect(outcome(await remove(made.id))).toEqual([404, 'folder_not_found']);
    await added(path);
  });

  it('has a name of its own, which stays', async () => {
    const names: string[] = [];
    for (const place of ['a', 'b', 'c']) names.push((await added(await folder(place, 'Notes'))).name);
    names.push((await added(await folder('d', 'notes'))).name);
    expect(names).toEqual(['Notes', 'Notes 2', 'Notes 3', 'notes 4']);
    const [first] = await list();
    await remove(first?.id ?? '');
    expect((await list()).map(({ name }) => name)).toEqual(['Notes 2', 'Notes 3', 'notes 4']);
    expect((await added(await folder('e', 'Notes'))).name).toBe('Notes');
  });

  it('may lie in another one, but is not allowed twice', async () => {
    await added(await folder('Work'));
    await added(await folder('Work', 'inner'));
    const again = await add(join(root, 'Work'));
    expect(outcome(again)).toEqual([409, 'conflict']);
    expect(again.error().message).toContain('as “Work”');
  });

  it('that has gone, or became something else, is shown as not available', async () => {
    const path = await folder('Notes');
    const { id } = await added(path);
    const available = async (): Promise<boolean | undefined> => (await list())[0]?.available;
    await rename(path, join(root, 'moved'));
    expect(await available()).toBe(false);
    await symlink(join(root, 'moved'), path);
    expect(await available()).toBe(false);
    await rm(path);
    await writeFile(path, 'a file');
    expect(await available()).toBe(false);
    await rm(path);
    await rename(join(root, 'moved'), path);
    expect(await available()).toBe(true);
    await rm(path, { recursive: true });
    expect((await remove(id)).json<FolderAnswer>().folder.available).toBe(false);
  });

  it('is not available by a way that has become a link to elsewhere', async () => {
    await added(await folder('home', 'ana', 'Notes'));
    await folder('other', 'Notes');
    await rename(join(root, 'home', 'ana'), join(root, 'home', 'moved'));
    await symlink(join(root, 'other'), join(root, 'home', 'ana'));
    expect(await list()).toMatchObject([{ available: false }]);
  });

  it('is there again after a restart', async () => {
    const made = await added(await folder('Notes'));
    await api.service.close();
    api = await startTestService({ dataDir: api.service.dataDir });
    expect(await list()).toEqual([made]);
  });
});

describe('what is no folder to allow', () => {
  it('is refused in words', async () => {
    const home = await folder('home');
    const file = join(root, 'file.txt');
    await writeFile(file, '');
    await symlink(api.service.dataDir, join(root, 'own'));
    await symlink('/', join(root, 'everything'));
    await symlink('round', join(root, 'round'));
    for (const [path, words] of [
      [relative(process.cwd(), home), 'whole path'],
      ['', 'whole path'],
      ['~/Notes', 'whole path'],
      [`${home}\0`, 'whole path'],
      [join(root, 'none'), 'There is no folder'],
      [file, 'is a file'],
      [join(file, 'x'), 'There is no folder'],
      [parse(root).root, 'whole drive'],
      [join(root, 'everything'), 'whole drive'],
      ['/proc/self', 'belongs to the system'],
      ['/dev', 'belongs to the system'],
      [api.service.dataDir, 'Parley keeps your chats'],
      [join(api.service.dataDir, 'store'), 'Parley keeps your chats'],
      [join(root, 'own'), 'Parley keeps your chats'],
      [join(root, 'round'), 'leads back to itself'],
    ] as const) {
      const answer = await add(path);
      expect([path, ...outcome(answer)]).toEqual([path, 400, 'invalid_request']);
      expect(JSON.stringify(answer.error())).toContain(words);
    }
    for (const body of [{}, { path: 7 }, { path: 'x'.repeat(5_000) }]) {
      expect(outcome(await api.post('/api/v1/folders', body))).toEqual([400, 'invalid_request']);
    }
    expect(await list()).toEqual([]);
    // The data folder lies in this one, which tools respect.
    await added(home);
  });

  it(`is the one after ${MAX_FOLDERS}`, async () => {
    for (let number = 0; number < MAX_FOLDERS; number += 1) await added(await folder(`n${number}`));
    expect(outcome(await add(await folder('more')))).toEqual([409, 'conflict']);
    await remove((await list())[0]?.id ?? '');
    await added(await folder('more'));
  });
});

it('only the scope admin sees or changes folders; every key sees which tools there are', async () => {
  const { text: key } = await api.service.keys.create({
    kind: 'person',
    name: 'script',
    scope: 'chat',
    workspaceId: null,
    expiresAt: null,
  });
  const path = await folder('Notes');
  const { id } = await added(path);
  for (const request of [
    { method: 'GET', path: '/api/v1/folders' },
    { method: 'POST', path: '/api/v1/folders', json: { path } },
    { method: 'DELETE', path: `/api/v1/folders/${id}` },
  ]) {
    expect(outcome(await api.request({ ...request, key }))).toEqual([403, 'forbidden']);
  }
  const { tools } = (await api.get('/api/v1/tools', { key })).json<ToolList>();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_file', 'write_file']));
});

it('in a turn, a file is read at once and written only after a yes that knew which file', async () => {
  const path = await folder('Notes');
  await writeFile(join(path, 'todo.md'), 'milk');
  await added(path);
  const id = await rehearse(
    api,
    '::tool read_file {"path":"Notes/todo.md"}',
    'Read.',
    '::tool write_file {"path":"Notes/todo.md","text":"honey"}',
  );
  const steps = async (): Promise<Step[]> => (await api.messages(id)).at(-1)?.steps ?? [];
  await expect.poll(async () => (await steps()).at(1)?.status, { timeout: 10_000 }).toBe('awaiting_approval');
  const [read, write] = await steps();
  expect(read).toMatchObject({ status: 'done', output: { text: 'milk' } });
  expect(write?.approval?.summary).toBe(
    `Replaces all of a file that has 4 bytes with 5 characters: ${join(path, 'todo.md')}`,
  );
  expect(await readFile(join(path, 'todo.md'), 'utf8')).toBe('milk');
  await api.post(`/api/v1/chats/${id}/approvals/${write?.approval?.id ?? ''}`, { decision: 'approve' });
  await api.settled(id);
  expect(await readFile(join(path, 'todo.md'), 'utf8')).toBe('honey');
  expect((await steps()).at(1)).toMatchObject({ status: 'done', output: { done: 'replaced' } });
});
