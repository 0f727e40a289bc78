import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { ChatContextAnswer } from '../../shared/api/context.ts';
import type { Message } from '../../shared/api/message.ts';
import { filler } from '../support/context-chats.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { isAside } from '../support/model-servers/scenarios.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';

let dataDir: string;
let server: ModelServer;
let running: ServiceProcess | null;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-kill-compaction-'));
  server = await startModelServer('openai', { scenario: 'context-silent-asides', contextTokens: 1_000 });
  running = null;
});

afterEach(async () => {
  await running?.end('SIGKILL');
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function call<T>(service: ServiceProcess, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${service.baseUrl}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const messagesOf = async (service: ServiceProcess, id: string): Promise<Message[]> =>
  (await call<{ messages: Message[] }>(service, 'GET', `chats/${id}/messages`)).messages;
const statusOf = async (service: ServiceProcess, id: string): Promise<string> =>
  (await call<{ chat: Chat }>(service, 'GET', `chats/${id}`)).chat.status;
const summaries = (): number =>
  server.asked().filter(({ asked }) => asked !== null && isAside(asked, 'summary')).length;

async function ask(service: ServiceProcess, id: string, content: string): Promise<void> {
  await call(service, 'POST', `chats/${id}/messages`, { content, mode: 'chat' });
  await expect.poll(() => statusOf(service, id), { timeout: 20_000 }).toBe('idle');
}

/** A chat in which older messages are just being summarised. */
async function startFolding(service: ServiceProcess): Promise<string> {
  await call(service, 'PATCH', 'settings', { nameChats: false });
  await call(service, 'POST', 'connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl: server.baseUrl,
  });
  const { id } = await call<Chat>(service, 'POST', 'chats');
  await call(service, 'PATCH', `chats/${id}`, { model: 'box/fake-model' });
  await ask(service, id, 'My cat is called Mio.');
  await ask(service, id, 'Dogs?');
  await call(service, 'POST', `chats/${id}/messages`, { content: filler(1_200), mode: 'chat' });
  await expect.poll(summaries, { timeout: 20_000 }).toBe(1);
  return id;
}

it('a kill in the midst of summarising leaves everything as it was, at rest, and it is summarised later', async () => {
  let service = (running = await startServiceProcess(dataDir));
  const id = await startFolding(service);
  expect(await statusOf(service, id)).toBe('completed');
  const before = await messagesOf(service, id);
  await service.end('SIGKILL');
  server.play('context');
  service = running = await startServiceProcess(dataDir);
  expect(await statusOf(service, id)).toBe('idle');
  expect(await messagesOf(service, id)).toEqual(before);
  expect(before.map(({ status }) => status)).toEqual(Array(6).fill('complete'));
  await ask(service, id, 'What is my cat called?');
  const after = await messagesOf(service, id);
  expect(after[0]?.status).toBe('compacted');
  expect(after.at(-1)?.content).toMatch(/Mio/);
}, 60_000);

it('a stop in order ends it within its time, and the chat is at rest', async () => {
  const service = (running = await startServiceProcess(dataDir));
  const id = await startFolding(service);
  expect(await service.end('SIGTERM')).toBe(0);
  const again = (running = await startServiceProcess(dataDir));
  expect(await statusOf(again, id)).toBe('idle');
}, 60_000);

it('a summary goes with its chat: no file holds its text once the chat is deleted for good', async () => {
  const service = (running = await startServiceProcess(dataDir));
  server.play('context');
  await call(service, 'PATCH', 'settings', { nameChats: false });
  await call(service, 'POST', 'connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl: server.baseUrl,
  });
  const { id } = await call<Chat>(service, 'POST', 'chats');
  await call(service, 'PATCH', `chats/${id}`, { model: 'box/fake-model' });
  for (const content of ['My cat is called Mio.', 'Dogs?', 'Birds?']) await ask(service, id, content);
  const { context } = await call<ChatContextAnswer>(service, 'GET', `chats/${id}/context`);
  expect(context.summary?.text).toMatch(/^SUMMED UP: .*Mio/);
  expect(await filesHolding('SUMMED UP')).not.toEqual([]);
  await call(service, 'DELETE', `chats/${id}?permanent=true`);
  expect(await filesHolding('SUMMED UP')).toEqual([]);
  // With a space before it, which no random key in there holds by chance.
  expect(await filesHolding(' Mio')).toEqual([]);
}, 60_000);

async function filesHolding(text: string): Promise<string[]> {
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const held = await Promise.all(paths.map(async (path) => (await readFile(path)).includes(text)));
  return paths.filter((_, index) => held[index]);
}
