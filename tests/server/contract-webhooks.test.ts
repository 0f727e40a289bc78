import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CreatedKey, Key, UpdatedKey } from '../../shared/api/key.ts';
import type { RecentRequests } from '../../shared/api/request-log.ts';
import { eventually } from '../support/eventually.ts';
import { createScriptedRuntime } from '../support/scripted-runtime.ts';
import { createTestClient, startSharedService, type TestClient } from '../support/service.ts';

const runtime = createScriptedRuntime();
const api = await startSharedService({ runtime });

interface Reported {
  type: string;
  timestamp: string;
  data: Record<string, string>;
}

/** A program that is told, for one test. */
async function startReceiver(): Promise<{
  url: string;
  got: { headers: IncomingHttpHeaders; body: string }[];
}> {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/told?by=parley`, got };
}

async function start(): Promise<{
  client: TestClient;
  key: Key;
  secret: string;
  /** All that came so far, verified, when there are so many. */
  reported: (count: number) => Promise<Reported[]>;
}> {
  const { url, got } = await startReceiver();
  const { workspaceId } = api.service;
  const made = await api.post('/api/v1/keys', { name: 'nightly', workspaceId, webhook: { url } });
  expect(made.status).toBe(201);
  const { key, apiKey, webhookSecret: secret = '' } = made.json<CreatedKey>();
  return {
    client: createTestClient(api.service.port, apiKey),
    key,
    secret,
    reported: async (count) => {
      await eventually(() => expect(got.length).toBeGreaterThanOrEqual(count));
      const webhook = new Webhook(secret);
      return got.map(
        ({ headers, body }) => webhook.verify(body, headers as Record<string, string>) as Reported,
      );
    },
  };
}

it('changes of one key that come together leave a secret exactly where there is a webhook', async () => {
  const { key } = (await api.post('/api/v1/keys', { name: 'nightly' })).json<CreatedKey>();
  const path = `/api/v1/keys/${key.id}`;
  const patch = (webhook: object | null): Promise<unknown> =>
    api.request({ method: 'PATCH', path, json: { webhook } });
  const isWhole = async (): Promise<void> => {
    const [now] = (await api.get('/api/v1/keys'))
      .json<{ keys: Key[] }>()
      .keys.filter(({ id }) => id === key.id);
    const hasSecret = (await api.service.secrets.names()).includes(`webhook:${key.id}`);
    expect(hasSecret).toBe(now?.webhook !== undefined);
  };
  for (let count = 0; count < 3; count += 1) {
    await Promise.all([patch({ url: 'http://127.0.0.1:9/' }), patch(null)]);
    await isWhole();
  }
  await Promise.all([patch({ url: 'http://127.0.0.1:9/' }), api.request({ method: 'DELETE', path })]);
  expect(await api.service.secrets.names()).not.toContain(`webhook:${key.id}`);
});

describe('the webhook of a key', () => {
  it('is told when a turn has ended that the key started, signed, with ids and no text', async () => {
    const { client, key, secret, reported } = await start();
    expect(secret).toMatch(/^whsec_[\w+/=]{44}$/);
    const { id, workspaceId } = await client.createChat();
    await client.send(id, 'A secret question');
    (await runtime.turnOf(id)).reply('A secret answer');
    const [first] = await reported(1);
    const [question, reply] = await client.messages(id);
    expect(first).toEqual({
      type: 'turn.completed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      data: { chatId: id, workspaceId, messageId: question?.id, replyId: reply?.id, stopReason: 'end' },
    });
    const { requests } = (await api.get('/api/v1/requests')).json<RecentRequests>();
    expect(requests.find(({ caller }) => caller === `webhook of ${key.name}`)).toMatchObject({
      method: 'POST',
      path: '/told?by=…',
      status: 204,
    });
  });

  it('is told of failures, stops, edits and retries, once each, and of no other key’s turns', async () => {
    const { client, reported } = await start();
    const { id } = await client.createChat();
    await client.send(id, 'one');
    (await runtime.turnOf(id)).fail();
    await client.settled(id);
    await client.post(`/api/v1/chats/${id}/retry`);
    await runtime.turnOf(id);
    await client.post(`/api/v1/chats/${id}/stop`);
    const [question] = await client.messages(id);
    await client.post(`/api/v1/chats/${id}/messages/${question?.id ?? ''}/edit`, { content: 'two' });
    (await runtime.turnOf(id)).reply();
    await client.settled(id);
    await api.send(id, 'from the local key');
    (await runtime.turnOf(id)).reply();
    await api.settled(id);
    const once = { headers: { 'idempotency-key': 'k' } };
    for (let repeat = 0; repeat < 2; repeat += 1) {
      await client.post(`/api/v1/chats/${id}/messages`, { content: 'last' }, once);
    }
    (await runtime.turnOf(id)).reply();
    // Turns that ended at nearly the same time are told side by side.
    expect(
      (await reported(4)).map(({ type, data }) => `${type} ${String(data['errorCode'])}`).sort(),
    ).toEqual([
      'turn.completed undefined',
      'turn.completed undefined',
      'turn.failed model_failed',
      'turn.stopped undefined',
    ]);
  });

  it('is told of a message that was removed while it waited', async () => {
    const { client, reported } = await start();
    const { id } = await client.createChat();
    await client.send(id, 'one');
    const turn = await runtime.turnOf(id);
    await client.send(id, 'two');
    const two = (await client.messages(id)).find(({ content }) => content === 'two');
    await client.request({ method: 'DELETE', path: `/api/v1/chats/${id}/messages/${two?.id ?? ''}` });
    const [first] = await reported(1);
    expect([first?.type, first?.data['messageId']]).toEqual(['turn.cancelled', two?.id]);
    expect(first?.data).not.toHaveProperty('replyId');
    turn.reply();
    expect((await reported(2))[1]?.type).toBe('turn.completed');
  });

  it('can be set, changed and taken away by an admin, with a new secret each time', async () => {
    const { client, key, secret } = await start();
    const path = `/api/v1/keys/${key.id}`;
    const patch = (json: object, as: TestClient = api) => as.request({ method: 'PATCH', path, json });
    expect((await patch({ webhook: null }, client)).status).toBe(403);
    const changed = (await patch({ webhook: { url: 'http://[::1]:9/x#y' } })).json<UpdatedKey>();
    expect(changed.key.webhook).toEqual({ url: 'http://[::1]:9/x' });
    expect(changed.webhookSecret).not.toBe(secret);
    expect((await patch({})).json<UpdatedKey>()).toEqual({ key: changed.key });
    const without = (await patch({ webhook: null })).json<UpdatedKey>();
    expect(without.key).not.toHaveProperty('webhook');
    expect(without).not.toHaveProperty('webhookSecret');
    await api.request({ method: 'DELETE', path });
    expect((await patch({ webhook: null })).error().code).toBe('key_not_found');
  });

  it.each([
    ['http://example.com/', 'must be on this computer'],
    ['http://192.168.1.2/', 'must be on this computer'],
    ['http://127.0.0.1.example.com/', 'must be on this computer'],
    ['http://0.0.0.0:80/', 'must be on this computer'],
    ['http://[::ffff:10.0.0.1]/', 'must be on this computer'],
    ['ftp://localhost/', 'must be an http or https address'],
    ['http://user:secret@localhost/', 'must be an http or https address'],
    ['localhost:80', 'must be an http or https address'],
    ['', 'must be an http or https address'],
  ])('is not told at "%s"', async (url, why) => {
    const before = (await api.get('/api/v1/keys')).text;
    const refused = await api.post('/api/v1/keys', { name: 'bad', webhook: { url } });
    expect([refused.status, refused.error().message]).toEqual([400, expect.stringContaining(why)]);
    expect((await api.get('/api/v1/keys')).text).toBe(before);
  });

  it('may be on another computer when that was allowed', async () => {
    const webhook = { url: 'https://example.com/hook', anywhere: true };
    const { key } = (await api.post('/api/v1/keys', { name: 'far', webhook })).json<CreatedKey>();
    expect(key.webhook).toEqual(webhook);
  });
});
