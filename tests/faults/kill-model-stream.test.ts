import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { PLAIN_TEXT } from '../support/model-servers/scenarios.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';

let dataDir: string;
let server: ModelServer;
let running: ServiceProcess | null;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-kill-model-'));
  server = await startModelServer('openai', { scenario: 'endless' });
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

const messagesOf = async (service: ServiceProcess, chatId: string): Promise<Message[]> =>
  (await call<{ messages: Message[] }>(service, 'GET', `chats/${chatId}/messages`)).messages;

it('a turn that was killed while its model streamed is made anew, once, and the reply is not doubled', async () => {
  let service = (running = await startServiceProcess(dataDir));
  await call(service, 'POST', 'connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl: server.baseUrl,
  });
  const { id } = await call<Chat>(service, 'POST', 'chats');
  await call(service, 'PATCH', `chats/${id}`, { model: 'box/fake-model' });
  await call(service, 'POST', `chats/${id}/messages`, { content: 'hello' });
  await expect
    .poll(async () => (await messagesOf(service, id))[1]?.content, { timeout: 20_000 })
    .toMatch(/word1 /);
  await service.end('SIGKILL');
  await server.asked()[0]?.clientClosed;
  server.play('plain');
  service = running = await startServiceProcess(dataDir);
  await expect
    .poll(async () => (await call<{ chat: Chat }>(service, 'GET', `chats/${id}`)).chat.status, {
      timeout: 20_000,
    })
    .toBe('idle');
  const messages = await messagesOf(service, id);
  expect(messages.map(({ role, content, status }) => [role, content, status])).toEqual([
    ['user', 'hello', 'complete'],
    ['assistant', PLAIN_TEXT, 'complete'],
  ]);
  expect(server.asked()).toHaveLength(2);
}, 60_000);
