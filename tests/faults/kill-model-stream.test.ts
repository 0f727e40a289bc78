import { afterEach, beforeEach, expect, it } from 'vitest';
import { CONTINUE_REQUEST } from '../../shared/continue.ts';
import { CONNECTED, connectModel } from '../support/connected-service.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { isAside, PARTIAL_TEXT, PLAIN_TEXT } from '../support/model-servers/scenarios.ts';
import { mortalService } from '../support/mortal-service.ts';
import type { TestClient } from '../support/service.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const mortal = mortalService();
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer('openai', { scenario: 'endless' });
});
afterEach(() => server.close());

it('a turn that was killed while its model streamed is made anew, once, and the reply is not doubled', async () => {
  const { service, id } = await startChat();
  await service.api.send(id, 'hello');
  await killWhileStreaming(service, id);
  const client = await startAgain(id);
  expect(await reported(client, id)).toEqual([
    ['user', 'hello', 'complete'],
    ['assistant', PLAIN_TEXT, 'complete'],
  ]);
  expect(turns()).toHaveLength(2);
}, 60_000);

it('a reply that was killed while its model went on with it is gone on with once, and what was there before stays', async () => {
  const { service, id } = await startChat();
  server.play('fault-midway');
  await service.api.send(id, 'hello');
  await service.api.settled(id);
  const [, cut] = await service.api.messages(id);
  server.play('endless');
  const path = `/api/v1/chats/${id}/messages/${cut?.id ?? ''}/continue`;
  const goOn = (client: TestClient) =>
    client.post(path, undefined, { headers: { 'idempotency-key': 'once' } });
  expect((await goOn(service.api)).status).toBe(200);
  await killWhileStreaming(service, id);
  const client = await startAgain(id);
  // Whoever has not heard of the first answer asks again.
  expect((await goOn(client)).status).toBe(200);
  await client.settled(id);
  expect(await reported(client, id)).toEqual([
    ['user', 'hello', 'complete'],
    ['assistant', PARTIAL_TEXT, 'error'],
    ['user', CONTINUE_REQUEST, 'complete'],
    ['assistant', PLAIN_TEXT, 'complete'],
  ]);
  expect(turns()).toHaveLength(3);
}, 60_000);

/** A service with a chat that the fake model answers. */
async function startChat(): Promise<{ service: ServiceProcess; id: string }> {
  const service = await mortal.start();
  await connectModel(service.api, server);
  const { id } = await service.api.createChat();
  const path = `/api/v1/chats/${id}`;
  await service.api.request({ method: 'PATCH', path, json: { model: CONNECTED } });
  return { service, id };
}

async function killWhileStreaming(service: ServiceProcess, id: string): Promise<void> {
  const last = async () => (await service.api.messages(id)).at(-1)?.content;
  await expect.poll(last, { timeout: 20_000 }).toMatch(/word1 /);
  await service.end('SIGKILL');
  await server.asked().at(-1)?.clientClosed;
  server.play('plain');
}

/** The service after its next start, with the chat at rest. */
async function startAgain(id: string): Promise<TestClient> {
  const { api } = await mortal.start();
  await expect.poll(async () => (await api.chat(id)).status, { timeout: 20_000 }).toBe('idle');
  return api;
}

const reported = async (client: TestClient, id: string) =>
  (await client.messages(id)).map(({ role, content, status }) => [role, content, status]);
const turns = () => server.asked().filter(({ asked }) => asked !== null && !isAside(asked, 'title'));
