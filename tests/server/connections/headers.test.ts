/** Headers that a person set on a connection: sent with all that is asked of its server, and told to nobody. */
import { expect, it, onTestFinished } from 'vitest';
import type { Connection, ConnectionTest } from '../../../shared/api/connection.ts';
import { MAX_CONNECTION_HEADERS } from '../../../shared/limits.ts';
import { startListingServer } from '../../support/listing-server.ts';
import { startModelServer } from '../../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../../support/model-servers/provider-wires.ts';
import { startTestService, type TestAnswer, type TestService } from '../../support/service.ts';

const HEADERS = { 'X-Gate': 'let me in 12345', Authorization: 'Basic dXNlcjpwYXNzd29yZA==' };

const connectionOf = (answer: TestAnswer): Connection => {
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<{ connection: Connection }>().connection;
};
const change = (api: TestService, { id }: Connection, json: object): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path: `/api/v1/connections/${id}`, json });
const test = async (api: TestService, body: object): Promise<ConnectionTest> =>
  (await api.post('/api/v1/connections/test', body)).json<ConnectionTest>();

it.each(PROVIDER_WIRES)(
  '%s: lists, tests and turns carry them, in place of what is named alike',
  async (provider, wire) => {
    const server = await startModelServer(wire);
    onTestFinished(() => server.close());
    const api = await startTestService();
    const place = { provider, baseUrl: server.baseUrl, apiKey: 'key-of-the-format', headers: HEADERS };
    expect(await test(api, { ...place, model: 'fake-model' })).toMatchObject({ finding: 'ok' });
    const made = await api.post('/api/v1/connections', { ...place, name: 'Box' });
    expect(made.text).not.toMatch(/12345|dXNlc/);
    const connection = connectionOf(made);
    expect(connection).toMatchObject({
      headerNames: ['X-Gate', 'Authorization'],
      headers: 'present',
      key: 'present',
    });
    expect(await test(api, { connectionId: connection.id })).toMatchObject({ finding: 'ok' });
    const chat = await api.createChat();
    const path = `/api/v1/chats/${chat.id}`;
    expect((await api.request({ method: 'PATCH', path, json: { model: 'box/fake-model' } })).status).toBe(
      200,
    );
    await api.send(chat.id, 'Hello there');
    expect((await api.settled(chat.id)).status).toBe('idle');
    expect(server.asked().length).toBeGreaterThan(1);
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({ 'x-gate': HEADERS['X-Gate'], authorization: HEADERS.Authorization });
    }
  },
);

it('change one by one; a connection moves to another server only when all are given anew', async () => {
  const server = await startListingServer(() => ({ json: { data: [{ id: 'm' }] } }));
  const other = await startListingServer(() => ({ json: { data: [{ id: 'm' }] } }));
  const api = await startTestService();
  const connection = connectionOf(
    await api.post('/api/v1/connections', {
      provider: 'openai_compatible',
      baseUrl: server.origin,
      headers: { 'X-One': 'one', 'X-Two': 'two' },
    }),
  );
  const seen = (): unknown => {
    const headers = server.requests.at(-1)?.headers;
    return ['x-one', 'x-two', 'x-three', 'authorization'].map((name) => headers?.[name]);
  };
  expect(seen()).toEqual(['one', 'two', undefined, undefined]);
  const changed = await change(api, connection, { headers: { 'x-one': null, 'X-Three': 'three' } });
  expect(connectionOf(changed).headerNames).toEqual(['X-Two', 'X-Three']);
  expect(seen()).toEqual([undefined, 'two', 'three', undefined]);
  await change(api, connection, { apiKey: 'key' });
  expect(seen()).toEqual([undefined, 'two', 'three', 'Bearer key']);

  const moved = { baseUrl: other.origin, apiKey: null };
  expect((await change(api, connection, { ...moved, headers: { 'X-Two': '2' } })).error()).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('"X-Three"') as string,
  });
  await test(api, { connectionId: connection.id, ...moved });
  expect(other.requests.at(-1)?.headers).not.toHaveProperty('x-two');
  const there = await change(api, connection, { ...moved, headers: { 'X-Two': '2', 'X-Three': null } });
  expect(connectionOf(there)).toMatchObject({ headerNames: ['X-Two'], key: 'none' });
  expect(other.requests.at(-1)?.headers).toMatchObject({ 'x-two': '2' });
  expect(other.requests.at(-1)?.headers).not.toHaveProperty('x-three');
});

it('that would break the request are refused, in words that never quote a value', async () => {
  const api = await startTestService();
  const refusal = async (headers: Record<string, string>): Promise<string> => {
    const answer = await api.post('/api/v1/connections', { provider: 'ollama', headers });
    expect(answer.status).toBe(400);
    return answer.text;
  };
  for (const name of [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Upgrade',
    'TE',
    'Accept-Encoding',
  ]) {
    expect(await refusal({ [name]: 'value-12345' })).toContain('Parley sets the header');
  }
  expect(await refusal({ 'X-One': 'value-12345\r\nHost: elsewhere' })).not.toContain('12345');
  expect(await refusal({ 'X One': 'value-12345' })).not.toContain('12345');
  expect(await refusal({ 'X-One': 'a', 'x-one': 'b' })).toContain('twice');
  expect(await refusal({ 'X-One': 'x'.repeat(8_001) })).toContain('headers');
  const many = Array.from({ length: MAX_CONNECTION_HEADERS + 1 }, (_, index) => [`X-${index}`, 'a']);
  expect(await refusal(Object.fromEntries(many) as Record<string, string>)).toContain('more than');
});

it('are asked about where a server refuses them', async () => {
  const server = await startListingServer(({ headers }) => ({
    status: 401,
    json: { error: { message: `Not with ${String(headers['x-gate'])}` } },
  }));
  const api = await startTestService();
  const found = await test(api, { provider: 'openai_compatible', baseUrl: server.origin, headers: HEADERS });
  expect(found).toMatchObject({
    finding: 'wrong_key',
    message: expect.stringContaining('the key or the headers') as string,
  });
});
