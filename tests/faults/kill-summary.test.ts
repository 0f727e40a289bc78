import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChatContextAnswer } from '../../shared/api/context.ts';
import { CONNECTED, connectModel } from '../support/connected-service.ts';
import { filler } from '../support/context-chats.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { isAside } from '../support/model-servers/scenarios.ts';
import { mortalService } from '../support/mortal-service.ts';
import { ASKED_TO_END } from '../support/platform.ts';
import type { TestClient } from '../support/service.ts';

const mortal = mortalService();
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer('openai', { scenario: 'context-silent-asides', contextTokens: 1_000 });
});
afterEach(() => server.close());

const statusOf = async (api: TestClient, id: string): Promise<string> => (await api.chat(id)).status;
const summaries = (): number =>
  server.asked().filter(({ asked }) => asked !== null && isAside(asked, 'summary')).length;

async function ask(api: TestClient, id: string, content: string): Promise<void> {
  await api.send(id, content, { mode: 'chat' });
  await expect.poll(() => statusOf(api, id), { timeout: 20_000 }).toBe('idle');
}

/** A chat with the fake server's model, which nobody names. */
async function createChat(api: TestClient): Promise<string> {
  await api.request({ method: 'PATCH', path: '/api/v1/settings', json: { nameChats: false } });
  await connectModel(api, server);
  const { id } = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: CONNECTED } });
  return id;
}

/** A chat in which older messages are just being summarised. */
async function startFolding(api: TestClient): Promise<string> {
  const id = await createChat(api);
  await ask(api, id, 'My cat is called Mio.');
  await ask(api, id, 'Dogs?');
  await api.send(id, filler(1_200), { mode: 'chat' });
  await expect.poll(summaries, { timeout: 20_000 }).toBe(1);
  return id;
}

it('a kill in the midst of summarising leaves everything as it was, at rest, and it is summarised later', async () => {
  const service = await mortal.start();
  const id = await startFolding(service.api);
  expect(await statusOf(service.api, id)).toBe('completed');
  const before = await service.api.messages(id);
  await service.end('SIGKILL');
  server.play('context');
  const { api } = await mortal.start();
  expect(await statusOf(api, id)).toBe('idle');
  expect(await api.messages(id)).toEqual(before);
  expect(before.map(({ status }) => status)).toEqual(Array(6).fill('complete'));
  await ask(api, id, 'What is my cat called?');
  const after = await api.messages(id);
  expect(after[0]?.status).toBe('compacted');
  expect(after.at(-1)?.content).toMatch(/Mio/);
}, 60_000);

it('a stop in order ends it within its time, and the chat is at rest', async () => {
  const service = await mortal.start();
  const id = await startFolding(service.api);
  expect(await service.end('SIGTERM')).toBe(ASKED_TO_END);
  const { api } = await mortal.start();
  expect(await statusOf(api, id)).toBe('idle');
}, 60_000);

it('a summary goes with its chat: no file holds its text once the chat is deleted for good', async () => {
  const { api } = await mortal.start();
  server.play('context');
  const id = await createChat(api);
  for (const content of ['My cat is called Mio.', 'Dogs?', 'Birds?']) await ask(api, id, content);
  const { context } = (await api.get(`/api/v1/chats/${id}/context`)).json<ChatContextAnswer>();
  expect(context.summary?.text).toMatch(/^SUMMED UP: .*Mio/);
  expect(await filesHolding('SUMMED UP')).not.toEqual([]);
  const path = `/api/v1/chats/${id}?permanent=true`;
  expect((await api.request({ method: 'DELETE', path })).status).toBeLessThan(300);
  expect(await filesHolding('SUMMED UP')).toEqual([]);
  // With a space before it, which no random key in there holds by chance.
  expect(await filesHolding(' Mio')).toEqual([]);
}, 60_000);

async function filesHolding(text: string): Promise<string[]> {
  const files = (await readdir(mortal.dataDir, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const held = await Promise.all(paths.map(async (path) => (await readFile(path)).includes(text)));
  return paths.filter((_, index) => held[index]);
}
