import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEventClient, createWorkspaceClient, type OpenStream } from '../../support/event-client.ts';
import { eventually } from '../../support/eventually.ts';
import { createScriptedRuntime } from '../../support/scripted-runtime.ts';
import { startTestService } from '../../support/service.ts';

const MAX_STREAMS = 100;
const MAX_STREAMS_OF_ALL = 400;

test('more streams than there is room for are refused, and room comes back when they are dropped', async () => {
  const { service, ...api } = await startTestService({ runtime: createScriptedRuntime() });
  const { id } = await api.createChat();
  const newClient = () => createEventClient(service.port, service.apiKey, id);
  const openAll = (): Promise<OpenStream[]> =>
    Promise.all(Array.from({ length: MAX_STREAMS }, () => newClient().open()));
  for (let round = 0; round < 2; round += 1) {
    const streams = await openAll();
    const refused = await api.get(`/api/v1/chats/${id}/events`);
    expect([refused.status, refused.error().code]).toEqual([429, 'too_many_requests']);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.error().message).toContain(`${MAX_STREAMS} event streams of this key`);
    // Others aren't kept out by it.
    const other = createEventClient(service.port, service.openSession().apiKey, id);
    (await other.open()).cut();
    const ofAll = await api.get('/api/v1/events');
    expect([ofAll.status, ofAll.headers['retry-after']]).toEqual([429, '5']);
    expect((await api.get('/api/v1/events?once=true')).status).toBe(200);
    for (const stream of streams) stream.cut();
    await eventually(async () => (await newClient().open()).cut());
  }
});

test('all keys together have room for a number of streams, and hear of it', async () => {
  const { service, ...api } = await startTestService({ runtime: createScriptedRuntime() });
  const { id } = await api.createChat();
  const openAs = (key: string): Promise<OpenStream> => createEventClient(service.port, key, id).open();
  const newKey = async (): Promise<string> =>
    (
      await api.post('/api/v1/keys', { name: 'Script', scope: 'chat', workspaceId: service.workspaceId })
    ).json<{
      apiKey: string;
    }>().apiKey;
  for (let opened = 0; opened < MAX_STREAMS_OF_ALL; opened += MAX_STREAMS) {
    const key = await newKey();
    await Promise.all(Array.from({ length: MAX_STREAMS }, () => openAs(key)));
  }
  await expect(openAs(await newKey())).rejects.toThrow(`429`);
  // There is room left for the person's own window.
  (await openAs(service.openSession().apiKey)).cut();
});

test.each([
  ['a chat’s', createEventClient],
  ['a workspace’s', createWorkspaceClient],
])(
  'a client that doesn’t read %s stream is told how things stand when it reads again, not all that was in between',
  async (_whose, createClient) => {
    const runtime = createScriptedRuntime();
    const { service, ...api } = await startTestService({ runtime });
    const { id } = await api.createChat();
    const client = createClient(service.port, service.apiKey, id);
    const stream = await client.open();
    await stream.until(() => client.state.chat !== null);
    await api.send(id, 'hello');
    const turn = await runtime.turnOf(id);
    stream.response.pause();
    turn.stream('x'.repeat(2_000_000));
    for (let index = 0; index < 60; index += 1) {
      // Whoever reads all the time is told the whole reply each time.
      turn.stream('', [{ id: 's', tool: 'clock', status: 'running', input: index }]);
      await delay(35);
    }
    turn.reply();
    await api.settled(id);
    stream.response.resume();
    await stream.until(() => client.state.messages[1]?.status === 'complete');
    const [, reply] = await api.messages(id);
    expect(client.state.messages[1]?.content.length).toBe(reply?.content.length);
    expect(client.state.messages[1]?.steps).toEqual(reply?.steps);
    // The system between the two holds a few.
    expect(client.received()).toBeLessThan(30_000_000);
  },
);

test('a service that closes ends its streams in order, and cuts those that don’t read', async () => {
  const runtime = createScriptedRuntime();
  const { service, ...api } = await startTestService({ runtime });
  const { id } = await api.createChat();
  const clients = [1, 2].map(() => createEventClient(service.port, service.apiKey, id));
  const streams = await Promise.all(clients.map((client) => client.open()));
  await api.send(id, 'hello');
  const turn = await runtime.turnOf(id);
  const isRead = (characters: number): Promise<void> | undefined =>
    streams[0]?.until(() => clients[0]?.state.messages[1]?.content.length === characters);
  turn.stream('x'.repeat(20_000_000));
  streams[1]?.response.pause();
  await isRead(20_000_000);
  // It is only sent once the service knows that all before it was read.
  turn.stream('!');
  await isRead(20_000_001);
  await service.close();
  await Promise.all(streams.map(({ ended, response }) => (response.resume(), ended)));
  expect(streams.map(({ response }) => response.complete)).toEqual([true, false]);
});
