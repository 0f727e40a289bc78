/** The whole data folder deleted or moved under the running service, which is then killed: nothing acknowledged is lost. */
import { cp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { StorageAnswer } from '../../shared/api/storage.ts';
import { linkOfOwner } from '../../server/cli/open.ts';
import { ASKED_TO_END, CAN_MOVE_OPEN, HAS_SIGNALS } from '../support/platform.ts';
import { createTempDir, type TestClient } from '../support/service.ts';
import { runService, startServiceProcess } from '../support/service-process.ts';

const API_KEY = 'sk-of-somebody-else';

/** Makes chats until the store says that its files were written again; returns the ids of those that were accepted. */
async function sendUntilWritten(api: TestClient): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { storage } = (await api.get('/api/v1/storage')).json<StorageAnswer>();
    if (storage.notices.some(({ code }) => code === 'written_anew')) return ids;
    const answer = await api.post('/api/v1/chats', {});
    if (answer.status === 201) ids.push(answer.json<Chat>().id);
    else expect(answer.error().code).toBe('storage_unavailable');
    await sleep(20);
  }
}

const chatIds = async (api: TestClient): Promise<string[]> =>
  (await api.get('/api/v1/chats?pageSize=100'))
    .json<{ data: Chat[] }>()
    .data.map(({ id }) => id)
    .sort();

it.runIf(CAN_MOVE_OPEN).each([
  { name: 'deleted', strike: (dataDir: string) => rm(dataDir, { recursive: true }) },
  { name: 'moved', strike: (dataDir: string) => rename(dataDir, `${dataDir}-moved`) },
])('a data folder that is $name is made anew, with all that belongs into it', async ({ strike }) => {
  const dataDir = join(await createTempDir(), 'data');
  const service = await runService(dataDir);
  const { api } = service;
  const ids = [(await api.createChat()).id];
  const added = await api.post('/api/v1/connections', {
    provider: 'openai',
    name: 'Somewhere',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: API_KEY,
  });
  expect(added.status).toBe(201);
  const names = ['connection.json', 'local-key', 'secrets.json'] as const;
  const files = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'utf8')));
  expect(files[2]).toContain(API_KEY);

  await strike(dataDir);
  ids.push(...(await sendUntilWritten(api)));
  expect(await Promise.all(names.map((name) => readFile(join(dataDir, name), 'utf8')))).toEqual(files);
  expect(await linkOfOwner(dataDir)).toContain(service.baseUrl);
  await expect(startServiceProcess(dataDir)).rejects.toThrow('already running');

  await service.end('SIGKILL');
  const again = await runService(dataDir);
  expect(again.apiKey).toBe(service.apiKey);
  expect(await chatIds(again.api)).toEqual(ids.sort());
  expect(await again.end('SIGTERM')).toBe(ASKED_TO_END);
});

it.runIf(HAS_SIGNALS)(
  'a data folder that another Parley has taken meanwhile is left to that one',
  async () => {
    const dataDir = join(await createTempDir(), 'data');
    const service = await runService(dataDir);
    const { api } = service;
    const { id } = await api.createChat();
    service.child.kill('SIGSTOP');
    await rm(dataDir, { recursive: true });
    const other = await runService(dataDir);
    const theirs = [(await other.api.createChat()).id];
    service.child.kill('SIGCONT');
    await expect
      .poll(async () => (await api.post('/api/v1/chats', {})).text)
      .toContain('another took its place');
    expect(await chatIds(api)).toContain(id);
    await service.end('SIGTERM');
    theirs.push((await other.api.createChat()).id);
    await other.end('SIGKILL');
    const copy = join(await createTempDir(), 'copy');
    await cp(dataDir, copy, { recursive: true });
    expect(await readdir(copy)).toContain('connection.json');
    expect(await chatIds((await runService(copy)).api)).toEqual(theirs.sort());
  },
);
