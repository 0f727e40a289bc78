/** Where Azure OpenAI and Mistral differ from the formats that they share, over the API and real HTTP. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Connection, ConnectionTest } from '../../../shared/api/connection.ts';
import { startModelServer, type ModelServer } from '../../support/model-servers/model-server.ts';
import { PARTIAL_TEXT } from '../../support/model-servers/scenarios.ts';
import { accessTo, runModelTurn } from '../../support/model-servers/model-turn.ts';
import { recordsIn } from '../../support/model-servers/wire.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const KEY = 'azure-0123456789abcdef';

async function serverOf(...args: Parameters<typeof startModelServer>): Promise<ModelServer> {
  const server = await startModelServer(...args);
  onTestFinished(() => server.close());
  return server;
}

const test = async (api: TestService, body: object): Promise<ConnectionTest> => {
  const answer = await api.post('/api/v1/connections/test', body);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).not.toContain(KEY);
  return answer.json<ConnectionTest>();
};

describe('Azure OpenAI', () => {
  const place = (server: ModelServer, changes: object = {}): object => ({
    provider: 'azure_openai',
    baseUrl: server.baseUrl,
    apiKey: KEY,
    ...changes,
  });

  it('has no address of its own, and says when the path is missing from one', async () => {
    const server = await serverOf('azure', { apiKey: KEY });
    const api = await startTestService();
    const none = await api.post('/api/v1/connections', { provider: 'azure_openai', apiKey: KEY });
    expect([none.status, none.error().message]).toEqual([400, expect.stringContaining('"baseUrl"')]);
    const { origin } = new URL(server.baseUrl);
    expect(await test(api, place(server, { baseUrl: origin }))).toMatchObject({
      finding: 'wrong_address',
      message: `The address needs /openai/v1 at its end: ${origin}/openai/v1.`,
    });
  });

  it('sends the key as Azure wants it, and in no other header', async () => {
    const server = await serverOf('azure', { apiKey: KEY });
    const api = await startTestService();
    expect((await test(api, place(server, { model: 'fake-model' }))).finding).toBe('ok');
    expect((await test(api, place(server, { apiKey: 'wrong' }))).finding).toBe('wrong_key');
    await runModelTurn('hello', accessTo(server, 'azure_openai', { apiKey: KEY }));
    const sent = server.requests.map(({ headers }) => [headers['api-key'], headers.authorization]);
    expect(sent).toEqual([
      [KEY, undefined],
      ['wrong', undefined],
      [KEY, undefined],
    ]);
  });

  it('offers no base models, since only deployments answer, and takes the name of any deployment', async () => {
    const server = await serverOf('azure', { apiKey: KEY, models: ['my-deployment'] });
    const api = await startTestService();
    expect(await test(api, place(server))).toMatchObject({
      finding: 'ok',
      message: 'Azure OpenAI answers. Its models go by the names of your deployments there.',
      models: [],
    });
    expect(await test(api, place(server, { model: 'gpt-4o-2024-11-20' }))).toMatchObject({
      finding: 'no_such_model',
      message: expect.stringContaining('has no deployment “gpt-4o-2024-11-20”') as string,
    });
    const made = await api.post('/api/v1/connections', place(server));
    const { connection } = made.json<{ connection: Connection }>();
    expect(connection).toMatchObject({ name: 'Azure OpenAI', slug: 'azure-openai', models: [] });
    expect(connection.modelsListedAt).not.toBeNull();
    const chat = await api.createChat();
    const path = `/api/v1/chats/${chat.id}`;
    await api.request({ method: 'PATCH', path, json: { model: 'azure-openai/my-deployment' } });
    await api.send(chat.id, 'Hello there');
    expect((await api.settled(chat.id)).status).toBe('idle');
    await api.request({ method: 'PATCH', path, json: { model: 'azure-openai/another' } });
    await api.send(chat.id, 'And now?');
    expect((await api.settled(chat.id)).status).toBe('failed');
    expect((await api.messages(chat.id)).at(-1)?.error).toMatchObject({
      code: 'model_not_found',
      message: expect.stringMatching(
        /has no model “another” \(“The API deployment.*Choose another/,
      ) as string,
    });
  });

  it('tells a refusal that is not about the deployment as what it is', async () => {
    const server = await serverOf('azure', { scenario: 'filters-prompt' });
    const found = await test(await startTestService(), place(server, { model: 'fake-model' }));
    expect(found).toMatchObject({
      finding: 'failed',
      message: expect.stringMatching(
        /did not reply with fake-model \(400\): “The response was filtered/,
      ) as string,
    });
  });

  it('reports that a filter withheld the question, or the rest of the answer', async () => {
    const server = await serverOf('azure', { scenario: 'filters-prompt' });
    const refused = await runModelTurn('hello', accessTo(server, 'azure_openai'));
    expect(refused.result).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'model_failed',
        message: expect.stringMatching(
          /refused the request \(“The response was filtered.*put it differently/,
        ) as string,
      },
    });
    expect(server.asked()).toHaveLength(1);
    server.play('filtered');
    const filtered = await runModelTurn('hello', accessTo(server, 'azure_openai'));
    expect(filtered.result).toMatchObject({
      outcome: 'replied',
      content: PARTIAL_TEXT,
      stopReason: 'content_filter',
    });
  });
});

describe('Mistral', () => {
  it('lists its models for chats, with what they read', async () => {
    const server = await serverOf('mistral', { apiKey: KEY, models: ['mistral-small', 'codestral'] });
    const api = await startTestService();
    const made = await api.post('/api/v1/connections', {
      provider: 'mistral',
      baseUrl: `${server.baseUrl}/chat/completions`,
      apiKey: KEY,
    });
    expect(made.text).not.toContain(KEY);
    expect(made.json<{ connection: Connection }>().connection).toMatchObject({
      name: 'Mistral',
      baseUrl: server.baseUrl,
      models: [
        { id: 'mistral-small', contextTokens: 131_072 },
        { id: 'codestral', contextTokens: 131_072 },
      ],
    });
  });

  it('answers 400 for a model that is not there, which is told as that', async () => {
    const server = await serverOf('mistral');
    const { result } = await runModelTurn('hello', accessTo(server, 'mistral', { modelId: 'gone' }));
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_not_found', message: expect.stringContaining('has no model “gone”') as string },
    });
  });

  it('gets earlier calls of tools under ids of nine letters and digits, as it wants them', async () => {
    const server = await serverOf('mistral', { scenario: 'tool-loop' });
    const step = { id: 'call_of-another/provider', tool: 'calculate', input: { expression: '1+1' } };
    const request = {
      messages: [
        { role: 'user' as const, content: 'one and one?', steps: [] },
        {
          role: 'assistant' as const,
          content: 'Two.',
          steps: [{ ...step, status: 'done' as const, output: 2 }],
        },
        { role: 'user' as const, content: 'and six times seven?', steps: [] },
      ],
    };
    const { result } = await runModelTurn('', accessTo(server, 'mistral'), { request });
    expect(result).toMatchObject({ outcome: 'replied', content: expect.stringContaining('42') as string });
    const body = server.asked().at(-1)?.body as { messages?: unknown };
    const messages = recordsIn(body.messages);
    const calls = messages.flatMap((message) => recordsIn(message['tool_calls'])).map(({ id }) => id);
    const results = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id: id }) => id);
    expect(calls).toHaveLength(2);
    expect(results).toEqual(calls);
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });
});
