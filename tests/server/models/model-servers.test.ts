import { afterEach, expect, test } from 'vitest';
import { PLAIN_TEXT } from '../../support/model-servers/scenarios.ts';
import {
  startModelServer,
  WIRES,
  type ModelServer,
  type WireName,
} from '../../support/model-servers/model-server.ts';

const servers: ModelServer[] = [];
const start = async (...args: Parameters<typeof startModelServer>): Promise<ModelServer> => {
  const server = await startModelServer(...args);
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const ASK: Record<WireName, { path: string; body: object; models: string }> = {
  openai: {
    path: '/chat/completions',
    body: { model: 'fake-model', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
    models: '/models',
  },
  ollama: {
    path: '/api/chat',
    body: { model: 'fake-model', messages: [{ role: 'user', content: 'Hi' }] },
    models: '/api/tags',
  },
  anthropic: {
    path: '/messages',
    body: {
      model: 'fake-model',
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    },
    models: '/models',
  },
  mistral: {
    path: '/chat/completions',
    body: { model: 'fake-model', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
    models: '/models',
  },
  azure: {
    path: '/chat/completions',
    body: { model: 'fake-model', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
    models: '/models',
  },
  google: {
    path: '/models/fake-model:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    models: '/models',
  },
};

const post = (url: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });

test.each(Object.keys(WIRES) as WireName[])(
  '%s: streams, lists its models and notes what it was asked',
  async (wire) => {
    const server = await start(wire);
    const { path, body, models } = ASK[wire];
    const streamed = await (await post(server.baseUrl + path, body)).text();
    for (const word of PLAIN_TEXT.split(' ')) expect(streamed).toContain(word);
    expect(await (await fetch(server.baseUrl + models)).text()).toContain(
      wire === 'azure' ? 'gpt-4o' : 'fake-model',
    );
    expect(server.asked()).toHaveLength(1);
    expect(server.asked()[0]?.asked?.messages).toEqual([{ role: 'user', text: 'Hi' }]);
  },
);

test('a message names the scenario, and a client that leaves is noticed', async () => {
  const server = await start('openai');
  const { path } = ASK.openai;
  const body = (content: string): object => ({
    model: 'fake-model',
    stream: true,
    messages: [{ role: 'user', content }],
  });
  const refused = await post(server.baseUrl + path, body('scenario: busy-then-fine'));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await post(server.baseUrl + path, body('scenario: busy-then-fine'))).status).toBe(200);
  expect(server.requests.some(({ isClientGone }) => isClientGone)).toBe(false);
  const leaving = new AbortController();
  const response = await post(server.baseUrl + path, body('scenario: stall'), leaving.signal);
  await response.body?.getReader().read();
  leaving.abort();
  await server.asked()[2]?.clientClosed;
  expect(server.asked()[2]?.isClientGone).toBe(true);
});

test('a key that is wanted and a model that is not there', async () => {
  const server = await start('ollama', { apiKey: 'right' });
  expect((await fetch(`${server.baseUrl}/api/tags`)).status).toBe(401);
  const headers = { authorization: 'Bearer right' };
  expect((await fetch(`${server.baseUrl}/api/tags`, { headers })).status).toBe(200);
  const other = { ...ASK.ollama.body, model: 'other' };
  const response = await fetch(`${server.baseUrl}/api/chat`, {
    method: 'POST',
    headers,
    body: JSON.stringify(other),
  });
  expect([response.status, await response.json()]).toEqual([
    404,
    { error: "The model 'other' does not exist." },
  ]);
});
