/** Which model answers a message, and with which parameters: what is asked for over the API, and what the model's server then gets. */
import { expect, it, onTestFinished } from 'vitest';
import type { Agent, ModelList } from '../../shared/api/catalog.ts';
import type { ExportFile, ImportResult } from '../../shared/api/data.ts';
import type { Provider } from '../../shared/providers.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../support/model-servers/provider-wires.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const KEY = 'sk-test-0123456789abcdef';

interface Connected {
  api: TestService;
  server: ModelServer;
}

async function connect(provider: Provider = 'openai_compatible', model = 'fake-model'): Promise<Connected> {
  const [, wire = 'openai'] = PROVIDER_WIRES.find(([name]) => name === provider) ?? [];
  const server = await startModelServer(wire, { apiKey: KEY, models: [model, 'other'] });
  onTestFinished(() => server.close());
  const api = await startTestService();
  // A request for a title would come between.
  await patch(api, '/api/v1/settings', { nameChats: false });
  await api.post('/api/v1/connections', { provider, name: 'Box', baseUrl: server.baseUrl, apiKey: KEY });
  return { api, server };
}

const patch = (api: TestService, path: string, json: object): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path, json });

/** What the server was sent last for a reply, without the conversation. */
function lastAsked(server: ModelServer): Record<string, unknown> {
  const body = server.asked().at(-1)?.body as Record<string, unknown>;
  const isSaid = (name: string): boolean => ['messages', 'contents', 'tools'].includes(name);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isSaid(name)));
}

/** What the system part of the last request says, whatever the format calls it. */
const instructions = (server: ModelServer): string => JSON.stringify(server.asked().at(-1)?.body);

/** Sends a message without tools, and waits for the end. */
async function say(api: TestService, chatId: string, body: object): Promise<void> {
  expect(
    (await api.post(`/api/v1/chats/${chatId}/messages`, { content: 'Hello', mode: 'chat', ...body })).status,
  ).toBe(200);
  await api.settled(chatId);
}

const ALL = {
  temperature: 0.25,
  topP: 0.5,
  maxOutputTokens: 2_000,
  stopSequences: ['END'],
  seed: 7,
  presencePenalty: 0.5,
  frequencyPenalty: -0.5,
};
const MISTRAL = {
  temperature: 0.25,
  top_p: 0.5,
  max_tokens: 2_000,
  stop: ['END'],
  presence_penalty: 0.5,
  frequency_penalty: -0.5,
};
const OPENAI = { ...MISTRAL, seed: 7 };
const ON_THE_WIRE: Readonly<Record<Provider, object>> = {
  openai_compatible: OPENAI,
  openai: OPENAI,
  azure_openai: OPENAI,
  mistral: { ...MISTRAL, random_seed: 7 },
  ollama: {
    options: {
      temperature: 0.25,
      top_p: 0.5,
      num_predict: 2_000,
      stop: ['END'],
      seed: 7,
    },
  },
  anthropic: { temperature: 0.25, top_p: 0.5, max_tokens: 2_000, stop_sequences: ['END'] },
  google: {
    generationConfig: {
      temperature: 0.25,
      topP: 0.5,
      maxOutputTokens: 2_000,
      stopSequences: ['END'],
      seed: 7,
      presencePenalty: 0.5,
      frequencyPenalty: -0.5,
    },
  },
};

it.each(PROVIDER_WIRES)(
  '%s is sent the parameters in its own terms, and none when there are none',
  async (provider) => {
    const { api, server } = await connect(provider);
    const { id } = await api.createChat();
    await say(api, id, { model: 'box/fake-model', parameters: ALL });
    expect(lastAsked(server)).toMatchObject(ON_THE_WIRE[provider]);
    await say(api, id, { model: 'box/fake-model' });
    const plain = JSON.stringify(lastAsked(server));
    for (const name of [
      'temperature',
      'top_p',
      'topP',
      'stop',
      'num_predict',
      'reasoning',
      'think',
      'thinking',
    ])
      expect(plain).not.toContain(`"${name}":`.replace('"stop":', '"stop":['));
  },
);

it.each([
  ['anthropic', 'claude-sonnet-4-5', { thinking: { type: 'enabled' } }],
  ['google', 'gemini-2.5-flash', { generationConfig: { thinkingConfig: { includeThoughts: true } } }],
  ['openai', 'o4-mini', { reasoning_effort: 'high' }],
  ['openai_compatible', 'fake-model', { reasoning_effort: 'high' }],
  ['ollama', 'fake-model', { think: true }],
  // Ollama takes levels for this model alone.
  ['ollama', 'gpt-oss:20b', { think: 'high' }],
] as const)('%s is told to reason, where that is asked for', async (provider, model, wanted) => {
  const { api, server } = await connect(provider, model);
  const { id } = await api.createChat();
  await say(api, id, { model: `box/${model}`, parameters: { reasoning: 'high' } });
  expect(lastAsked(server)).toMatchObject(wanted);
  await say(api, id, { model: `box/${model}`, parameters: { reasoning: 'none' } });
  expect(JSON.stringify(lastAsked(server))).not.toMatch(/"high"|"enabled"|"think":true/);
});

it('a message takes the place of its chat, the chat that of its agent, name by name', async () => {
  const { api, server } = await connect();
  const made = await api.post('/api/v1/agents', {
    name: 'Poet',
    instructions: 'Answer in rhyme.',
    parameters: { temperature: 1.5, topP: 0.9 },
  });
  expect(made.json<{ agent: Agent }>().agent.parameters).toEqual({ temperature: 1.5, topP: 0.9 });
  const { id } = await api.createChat({ agentType: 'poet' });
  await patch(api, `/api/v1/chats/${id}`, { model: 'box/fake-model' });
  await say(api, id, {});
  expect(lastAsked(server)).toMatchObject({ temperature: 1.5, top_p: 0.9 });

  const changed = await patch(api, `/api/v1/chats/${id}`, {
    parameters: { temperature: 1, instructions: 'Be brief.' },
  });
  expect(changed.json<{ chat: object }>().chat).toMatchObject({
    parameters: { temperature: 1, instructions: 'Be brief.' },
  });
  await say(api, id, { parameters: { topP: 0.1 } });
  expect(lastAsked(server)).toMatchObject({ temperature: 1, top_p: 0.1 });
  expect(instructions(server)).toContain('Answer in rhyme.\\n\\nBe brief.');

  const cleared = await patch(api, `/api/v1/chats/${id}`, { parameters: null });
  expect(cleared.json<{ chat: object }>().chat).not.toHaveProperty('parameters');
  await patch(api, '/api/v1/agents/poet', { parameters: {} });
  await say(api, id, {});
  expect(lastAsked(server)).not.toHaveProperty('temperature');
  expect(instructions(server)).not.toContain('Be brief.');
});

it('a model that is named with a message answers that one alone', async () => {
  const { api, server } = await connect();
  const { id } = await api.createChat();
  await say(api, id, { model: 'box/other', parameters: { temperature: 0 } });
  await say(api, id, {});
  const messages = await api.messages(id);
  expect(messages.map(({ model }) => model)).toEqual([
    'box/other',
    'box/other',
    undefined,
    'offline-assistant',
  ]);
  expect(messages[0]?.parameters).toEqual({ temperature: 0 });
  expect(messages[2]).not.toHaveProperty('parameters');
  expect((await api.chat(id)).model).toBe('offline-assistant');
  expect(server.asked()).toHaveLength(1);
});

it('a retry takes another model, mode and parameters; the earlier reply stays as a version', async () => {
  const { api, server } = await connect();
  const { id } = await api.createChat();
  await say(api, id, { content: 'Write a poem about autumn', parameters: { topP: 0.5 } });
  const [before, refused] = await api.messages(id);
  expect(refused).toMatchObject({ model: 'offline-assistant', stopReason: 'unanswered' });
  const retry = (json: object) => api.post(`/api/v1/chats/${id}/retry`, json);
  expect((await retry({ messageId: refused?.id, model: 'box/fake-model' })).status).toBe(200);
  await api.settled(id);
  const [question, reply] = await api.messages(id);
  expect(question).toMatchObject({
    model: 'box/fake-model',
    mode: 'chat',
    versions: [before?.id, question?.id],
  });
  expect(reply).toMatchObject({ model: 'box/fake-model', stopReason: 'end' });
  // What isn't said stays as it was sent.
  expect(lastAsked(server)).toMatchObject({ top_p: 0.5 });

  await retry({ model: 'box/other', mode: 'agent', parameters: {} });
  await api.settled(id);
  expect((await api.messages(id))[0]).toMatchObject({ model: 'box/other', mode: 'agent' });
  expect(lastAsked(server)).not.toHaveProperty('top_p');
  // Without a model it is the chat's that answers.
  await retry({});
  await api.settled(id);
  expect((await api.messages(id))[1]?.model).toBe('offline-assistant');

  const path = `/api/v1/chats/${id}/messages/${before?.id ?? ''}/edit`;
  await api.post(path, { content: 'And about winter', model: 'box/other' });
  await api.settled(id);
  expect((await api.messages(id))[1]?.model).toBe('box/other');
});

it('says of what the offline assistant can do that it was done, and of what it can’t that it was not', async () => {
  const api = await startTestService();
  const { id } = await api.createChat();
  for (const content of ['2 + 2', 'Who wrote Faust?', 'hello', 'What is 2 + 2, and who wrote Faust?'])
    await api.send(id, content);
  await api.settled(id);
  await api.send(id, 'What is 2 + 3?', { mode: 'chat' });
  await api.settled(id);
  const replies = (await api.messages(id)).filter(({ role }) => role === 'assistant');
  expect(replies.map(({ stopReason }) => stopReason)).toEqual([
    'end',
    'unanswered',
    'end',
    'end',
    'unanswered',
  ]);
});

it('the same key with another model or other parameters is a conflict, and a repeat is none', async () => {
  const { api } = await connect();
  const { id } = await api.createChat();
  const send = (json: object) =>
    api.post(
      `/api/v1/chats/${id}/messages`,
      { content: 'Hi', ...json },
      { headers: { 'idempotency-key': 'once' } },
    );
  expect((await send({ model: 'box/other', parameters: { temperature: 1 } })).status).toBe(200);
  expect((await send({ model: 'box/other', parameters: { temperature: 1 } })).status).toBe(200);
  expect((await send({ model: 'box/other' })).status).toBe(409);
  expect((await send({ parameters: { temperature: 1 } })).status).toBe(409);
});

it.each([
  [{ parameters: { temperature: 3 } }, '"parameters.temperature" must be a number from 0'],
  [{ parameters: { topP: 0 } }, '"parameters.topP" must be a number above 0'],
  [{ parameters: { stopSequences: ['a', 'b', 'c', 'd', 'e'] } }, '"parameters.stopSequences" must be a list'],
  [{ parameters: { reasoning: 'lots' } }, '"parameters.reasoning" must be "none", "low", "medium" or "high"'],
  [{ parameters: { temprature: 1 } }, '"parameters" must be an object of temperature,'],
  [{ parameters: 'hot' }, '"parameters" must be an object of temperature,'],
  [{ model: 'box/nobody' }, '"model" must be the name of a model that GET /api/v1/models lists.'],
  [{ model: 7 }, '"model" must be the name of a model'],
])('refuses %j, and sends nothing', async (json, words) => {
  const { api } = await connect();
  const { id } = await api.createChat();
  const answer = await api.post(`/api/v1/chats/${id}/messages`, { content: 'Hi', ...json });
  expect(answer.status).toBe(400);
  expect(answer.error().message).toContain(words);
  expect(await api.messages(id)).toEqual([]);
});

it('lists what each model’s provider knows; built-in models know none, and heed none', async () => {
  const { api } = await connect();
  const { models } = (await api.get('/api/v1/models')).json<ModelList>();
  const known = Object.fromEntries(models.map(({ name, parameters }) => [name, parameters]));
  expect(known['box/fake-model']).toEqual([
    'temperature',
    'topP',
    'maxOutputTokens',
    'stopSequences',
    'reasoning',
    'seed',
    'presencePenalty',
    'frequencyPenalty',
  ]);
  expect(known['offline-assistant']).toEqual([]);
  const { id } = await api.createChat();
  await say(api, id, {
    mode: 'agent',
    content: '2 + 2',
    parameters: { stopSequences: ['4'], maxOutputTokens: 1 },
  });
  expect((await api.messages(id))[1]).toMatchObject({ status: 'complete', stopReason: 'end' });
});

it('goes with an export into another service', async () => {
  const { api } = await connect();
  const { id } = await api.createChat();
  const parameters = { temperature: 0.5, instructions: 'Be brief.' };
  await patch(api, `/api/v1/chats/${id}`, { parameters });
  await say(api, id, { model: 'box/other', parameters: { topP: 0.5 } });
  const file = (await api.get(`/api/v1/chats/${id}/export?format=json`)).json<ExportFile>();
  const there = await startTestService();
  const { chatIds, mended } = (await there.post('/api/v1/import', file)).json<ImportResult>();
  expect(mended).toBe(0);
  const [chatId = ''] = chatIds;
  expect(await there.chat(chatId)).toMatchObject({ parameters });
  expect((await there.messages(chatId))[0]).toMatchObject({ model: 'box/other', parameters: { topP: 0.5 } });
});
