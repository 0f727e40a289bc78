import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { isAside, PLAIN_TEXT } from '../support/model-servers/scenarios.ts';
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

it('a turn that was killed while its model streamed is made anew, once, and the reply is not doubled', async () => {
  let service = (running = await startServiceProcess(dataDir));
  let client = service.api;
  await client.post('/api/v1/connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl: server.baseUrl,
  });
  const { id } = await client.createChat();
  await client.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: 'box/fake-model' } });
  await client.send(id, 'hello');
  await expect
    .poll(async () => (await client.messages(id))[1]?.content, { timeout: 20_000 })
    .toMatch(/word1 /);
  await service.end('SIGKILL');
  await server.asked()[0]?.clientClosed;
  server.play('plain');
  service = running = await startServiceProcess(dataDir);
  client = service.api;
  await expect
    .poll(async () => (await client.chat(id)).status, {
      timeout: 20_000,
    })
    .toBe('idle');
  const messages = await client.messages(id);
  expect(messages.map(({ role, content, status }) => [role, content, status])).toEqual([
    ['user', 'hello', 'complete'],
    ['assistant', PLAIN_TEXT, 'complete'],
  ]);
  const turns = server.asked().filter(({ asked }) => asked !== null && !isAside(asked, 'title'));
  expect(turns).toHaveLength(2);
}, 60_000);
