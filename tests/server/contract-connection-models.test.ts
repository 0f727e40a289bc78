/** Which models connections list, over real HTTP against small servers that answer as the providers do. */
import { describe, expect, it } from 'vitest';
import type { Connection, ConnectionModel } from '../../shared/api/connection.ts';
import { MAX_LISTED_MODELS } from '../../shared/limits.ts';
import { byPath, openAiList, startListingServer, type ListingReply } from '../support/listing-server.ts';
import { createTempDir, startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const KEY = 'sk-test-0123456789abcdef';

const connectionOf = (answer: TestAnswer): Connection => {
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<{ connection: Connection }>().connection;
};
const connect = async (api: TestService, body: object): Promise<Connection> =>
  connectionOf(await api.post('/api/v1/connections', body));
const refresh = (api: TestService, { id }: Connection): Promise<TestAnswer> =>
  api.post(`/api/v1/connections/${id}/refresh`);
const reported = ({ models }: { models: ConnectionModel[] }): (string | number | null)[][] =>
  models.map(({ id, contextTokens }) => [id, contextTokens]);

describe('the models of a new connection', () => {
  it('are what an OpenAI-compatible server lists for chats, with what they read', async () => {
    const server = await startListingServer(
      byPath({
        '/v1/models': {
          json: {
            object: 'list',
            data: [
              { id: 'plain', object: 'model' },
              { id: 'vllm', max_model_len: 32_768 },
              { id: 'openrouter/a', context_length: 128_000, architecture: { output_modalities: ['text'] } },
              { id: 'openrouter/draws', architecture: { output_modalities: ['image'] } },
              { id: 'llama.cpp', meta: { n_ctx_train: 131_072, n_ctx: 16_384 } },
              { id: 'mistral', max_context_length: 4_096, capabilities: { completion_chat: true } },
              { id: 'mistral-embed', capabilities: { completion_chat: false } },
              { id: 'together', type: 'chat', context_length: -1 },
              { id: 'together-rerank', type: 'rerank' },
              { id: 'plain', object: 'model' },
              { id: '' },
              { id: 5 },
              { id: 'x'.repeat(301) },
              { id: 'new\nline' },
              null,
              'text',
            ],
          },
        },
      }),
    );
    const api = await startTestService();
    const connection = await connect(api, {
      provider: 'openai_compatible',
      name: 'Box',
      baseUrl: `${server.origin}/v1/`,
      apiKey: KEY,
    });
    expect(reported(connection)).toEqual([
      ['plain', null],
      ['vllm', 32_768],
      ['openrouter/a', 128_000],
      ['llama.cpp', 16_384],
      ['mistral', 4_096],
      ['together', null],
      ['text', null],
    ]);
    expect(connection.models[2]?.name).toBe('box/openrouter/a');
    expect(connection.modelsListedAt).toMatch(/^\d{4}-/);
    expect(
      server.requests.map(({ method, path, headers }) => [method, path, headers['authorization']]),
    ).toEqual([['GET', '/v1/models', `Bearer ${KEY}`]]);
  });

  it('are those of OpenAI whose names don’t say that they do something else', async () => {
    const server = await startListingServer(() =>
      openAiList(
        'gpt-5',
        'text-embedding-3-large',
        'whisper-1',
        'o4-mini',
        'gpt-image-1',
        'tts-1',
        'ft:gpt-5:tts::x',
      ),
    );
    const api = await startTestService();
    const connection = await connect(api, { provider: 'openai', baseUrl: server.origin, apiKey: KEY });
    expect(reported(connection).map(([id]) => id)).toEqual(['gpt-5', 'o4-mini', 'ft:gpt-5:tts::x']);
  });

  it('are all pages of Anthropic’s list', async () => {
    const page = (ids: string[], hasMore: boolean): ListingReply => ({
      json: {
        data: ids.map((id) => ({ type: 'model', id, display_name: id, max_input_tokens: 200_000 })),
        has_more: hasMore,
        first_id: ids[0],
        last_id: ids.at(-1),
      },
    });
    const server = await startListingServer(
      byPath({
        '/v1/models?limit=1000': page(['a', 'b'], true),
        '/v1/models?limit=1000&after_id=b': page(['c'], false),
      }),
    );
    const api = await startTestService();
    const connection = await connect(api, {
      provider: 'anthropic',
      baseUrl: `${server.origin}/v1`,
      apiKey: KEY,
    });
    expect(reported(connection)).toEqual([
      ['a', 200_000],
      ['b', 200_000],
      ['c', 200_000],
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      'x-api-key': KEY,
      'anthropic-version': '2023-06-01',
    });
  });

  it('are Google’s that generate content, from all pages', async () => {
    const model = (name: string, method: string) => ({
      name: `models/${name}`,
      inputTokenLimit: 1_048_576,
      supportedGenerationMethods: [method],
    });
    const server = await startListingServer(
      byPath({
        '/v1beta/models?pageSize=1000': {
          json: {
            models: [model('gemini', 'generateContent'), model('embedding', 'embedContent')],
            nextPageToken: 'a/b',
          },
        },
        '/v1beta/models?pageSize=1000&pageToken=a%2Fb': {
          json: { models: [model('gemma', 'generateContent')] },
        },
      }),
    );
    const api = await startTestService();
    const connection = await connect(api, {
      provider: 'google',
      baseUrl: `${server.origin}/v1beta`,
      apiKey: KEY,
    });
    expect(reported(connection)).toEqual([
      ['gemini', 1_048_576],
      ['gemma', 1_048_576],
    ]);
    expect(server.requests[0]?.headers['x-goog-api-key']).toBe(KEY);
  });

  it('are Ollama’s that can chat, with what they are set to read, or could', async () => {
    const shows: Record<string, unknown> = {
      'llama3.2:latest': {
        capabilities: ['completion', 'tools'],
        model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 },
      },
      'small:1b': {
        capabilities: ['completion'],
        parameters: 'stop "<|end|>"\nnum_ctx                        8192',
        model_info: { 'general.architecture': 'qwen', 'qwen.context_length': 40_960 },
      },
      'nomic-embed-text:latest': { capabilities: ['embedding'] },
    };
    const server = await startListingServer(({ path, json }) => {
      if (path === '/api/tags') {
        return {
          json: { models: [...Object.keys(shows), 'old:7b'].map((name) => ({ name, model: name, size: 1 })) },
        };
      }
      const shown = shows[(json as { model: string }).model];
      return path === '/api/show' && shown !== undefined
        ? { json: shown }
        : { status: 404, json: { error: 'no' } };
    });
    const api = await startTestService();
    const connection = await connect(api, { provider: 'ollama', baseUrl: server.origin });
    expect(reported(connection)).toEqual([
      ['llama3.2:latest', 16_384],
      ['small:1b', 8_192],
      ['old:7b', null],
    ]);
    expect(server.requests.every(({ headers }) => headers['authorization'] === undefined)).toBe(true);
  });

  it('are no more than are kept', async () => {
    const ids = Array.from({ length: MAX_LISTED_MODELS + 5 }, (_, index) => `m${index}`);
    const server = await startListingServer(() => openAiList(...ids));
    const api = await startTestService();
    const { models } = await connect(api, { provider: 'openai_compatible', baseUrl: server.origin });
    expect(models.map(({ id }) => id)).toEqual(ids.slice(0, MAX_LISTED_MODELS));
  });

  it('come later, when the server can be reached; the connection is there at once', async () => {
    const server = await startListingServer(() => ({ status: 500, json: {} }));
    const api = await startTestService();
    const connection = await connect(api, { provider: 'openai_compatible', baseUrl: server.origin });
    expect([connection.models, connection.modelsListedAt]).toEqual([[], null]);
    const failed = await refresh(api, connection);
    expect([failed.status, failed.error().code]).toEqual([409, 'conflict']);
    expect(failed.error().message).toContain('500');
    server.answer = () => openAiList('late');
    expect(reported(connectionOf(await refresh(api, connection)))).toEqual([['late', null]]);
    expect((await refresh(api, { ...connection, id: 'nowhere' })).error().code).toBe('connection_not_found');
  });

  it('stay as they were when a refresh fails', async () => {
    const server = await startListingServer(() => openAiList('one'));
    const api = await startTestService();
    const connection = await connect(api, { provider: 'openai_compatible', baseUrl: server.origin });
    await server.close();
    expect((await refresh(api, connection)).error().message).toContain('Nothing answered');
    const { connections } = (await api.get('/api/v1/connections')).json<{ connections: Connection[] }>();
    expect(connections).toEqual([connection]);
  });

  it('are those of the new address once it has moved', async () => {
    const [one, other] = [
      await startListingServer(() => openAiList('one')),
      await startListingServer(() => openAiList('other')),
    ];
    const api = await startTestService();
    const { id } = await connect(api, { provider: 'openai_compatible', baseUrl: one.origin });
    const change = (baseUrl: string): Promise<TestAnswer> =>
      api.request({ method: 'PATCH', path: `/api/v1/connections/${id}`, json: { baseUrl } });
    expect(reported(connectionOf(await change(other.origin)))).toEqual([['other', null]]);
    const nowhere = connectionOf(await change('http://127.0.0.1:9'));
    expect([nowhere.models, nowhere.modelsListedAt]).toEqual([[], null]);
  });
});

describe('at the start of the service', () => {
  it('lists that are older than a day are asked for anew, others aren’t, and nobody waits for it', async () => {
    const dataDir = await createTempDir();
    const [fresh, old, hanging] = [
      await startListingServer(() => openAiList('a')),
      await startListingServer(() => openAiList('b')),
      await startListingServer(() => openAiList('c')),
    ];
    const first = await startTestService({ dataDir });
    const ids: string[] = [];
    for (const { origin } of [fresh, hanging, old]) {
      ids.push((await connect(first, { provider: 'openai_compatible', baseUrl: origin })).id);
    }
    await first.service.store.write((writer) =>
      writer.run(`UPDATE connections SET models_listed_at = '2026-01-01T00:00:00.000Z' WHERE id != ?`, [
        ids[0] ?? '',
      ]),
    );
    await first.service.close();
    old.answer = () => openAiList('b', 'b2');
    hanging.answer = () => 'hang';
    const second = await startTestService({ dataDir, connections: { limits: { wholeMs: 200 } } });
    await expect
      .poll(async () => {
        const { connections } = (await second.get('/api/v1/connections')).json<{
          connections: Connection[];
        }>();
        return connections.map(({ models }) => models.map(({ id }) => id)).sort();
      })
      .toEqual([['a'], ['b', 'b2'], ['c']]);
    expect([fresh, old, hanging].map(({ requests }) => requests.length)).toEqual([1, 2, 2]);
    expect(second.log).toEqual([]);
  });

  it('keys that belong to no connection are removed, and no others', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const { id } = await connect(first, {
      provider: 'openai_compatible',
      baseUrl: 'http://127.0.0.1:9',
      apiKey: KEY,
    });
    for (const name of ['connection:gone', 'other']) await first.service.secrets.write(name, 'x');
    await first.service.close();
    const second = await startTestService({ dataDir });
    await expect.poll(() => second.service.secrets.names()).toEqual([`connection:${id}`, 'other']);
  });
});
