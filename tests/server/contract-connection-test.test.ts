/** What a test of a connection finds, over real HTTP against small servers. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Connection, ConnectionTest } from '../../shared/api/connection.ts';
import {
  byPath,
  openAiList,
  startListingServer,
  type ListingReply,
  type ListingServer,
} from '../support/listing-server.ts';
import { startTestService, type TestService } from '../support/service.ts';

const KEY = 'sk-test-0123456789abcdef';
const SOON = { limits: { connectMs: 200, wholeMs: 200, maxBytes: 10_000 } };

const start = (): Promise<TestService> => startTestService({ connections: SOON });

async function test(api: TestService, body: object): Promise<ConnectionTest> {
  const answer = await api.post('/api/v1/connections/test', body);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).not.toContain(KEY);
  const found = answer.json<ConnectionTest>();
  expect(found.message).toMatch(/^\S.*[.”]$/);
  expect(found.tookMs).toBeGreaterThanOrEqual(0);
  return found;
}

/** What is found on an OpenAI-compatible server that answers everything so. */
async function find(reply: ListingReply, body: object = {}): Promise<ConnectionTest> {
  const server = await startListingServer(() => reply);
  return test(await start(), { provider: 'openai_compatible', baseUrl: `${server.origin}/v1`, ...body });
}

describe('a test without a model', () => {
  it('is good when the server lists its models', async () => {
    expect(await find(openAiList('a', 'b'), { apiKey: KEY })).toMatchObject({
      finding: 'ok',
      message: expect.stringContaining('offers 2 models') as string,
      models: ['a', 'b'],
    });
    expect(await find(openAiList())).toMatchObject({
      finding: 'ok',
      message: expect.stringContaining('no models yet') as string,
      models: [],
    });
  });

  it.each(['openai_compatible', 'openai', 'mistral', 'azure_openai', 'anthropic', 'google', 'ollama'])(
    'is good when the server of %s lists none as null',
    async (provider) => {
      const json = provider === 'ollama' || provider === 'google' ? { models: null } : { data: null };
      expect(await find({ json }, { provider, apiKey: KEY })).toMatchObject({ finding: 'ok', models: [] });
    },
  );

  it('is good when the entries of the list have a name or are names, and after a byte order mark', async () => {
    const lists = [
      { models: [{ name: 'a' }, {}] },
      { data: [{ model: 'a' }, null] },
      [{ name: 'a' }],
      { data: ['a'] },
      ['a'],
    ];
    for (const json of lists) expect(await find({ json })).toMatchObject({ finding: 'ok', models: ['a'] });
    const text = '\ufeff{"data":[{"id":"a"}]}';
    expect(await find({ text })).toMatchObject({ finding: 'ok', models: ['a'] });
  });

  it.each<[string, ListingReply, object, string, RegExp]>([
    ['a page of HTML', { text: '<html>' }, {}, 'wrong_address', /is not an OpenAI-compatible server/],
    ['another JSON', { json: { hello: 'world' } }, {}, 'wrong_address', /check the address/],
    ['404', { status: 404, json: {} }, {}, 'wrong_address', /check the address/],
    [
      'a redirect elsewhere',
      { status: 302, headers: { location: 'http://127.0.0.1:9/' }, text: '' },
      {},
      'wrong_address',
      /points to http:\/\/127\.0\.0\.1:9;/,
    ],
    ['401 without a key', { status: 401, json: {} }, {}, 'key_needed', /asks for a key/],
    ['403 without a key', { status: 403, text: '' }, {}, 'key_needed', /asks for a key/],
    [
      '401',
      { status: 401, json: { error: { message: `Bad key ${KEY}` } } },
      { apiKey: KEY },
      'wrong_key',
      /did not accept the key/,
    ],
    [
      '403 about billing',
      { status: 403, json: { error: { message: 'This API method requires billing to be enabled.' } } },
      { apiKey: KEY },
      'failed',
      /reports a fault \(403\): “This API method requires billing to be enabled\.”/,
    ],
    [
      '429',
      { status: 429, json: { error: { message: 'Try again in 20 s.' } } },
      {},
      'rate_limited',
      /try again later: “Try again in 20 s\.”/,
    ],
    ['407', { status: 407, text: '<title>Proxy</title>' }, {}, 'unreachable', /proxy didn’t connect/],
    [
      '500',
      { status: 500, json: { error: { message: `Out of\nmemory ${KEY}` } } },
      { apiKey: KEY },
      'failed',
      /\(500\): “Out of memory …”/,
    ],
    ['503 in HTML', { status: 503, text: '<html>' }, {}, 'failed', /\(503\)\.$/],
    ['504', { status: 504, json: {} }, {}, 'too_slow', /try again/],
    ['nothing', 'hang', {}, 'too_slow', /did not answer in time/],
    ['a broken connection', 'cut', {}, 'unreachable', /broke off the connection/],
    ['more than it takes', { text: 'x'.repeat(20_000) }, {}, 'failed', /more than Parley takes/],
  ])('tells what %s means', async (_what, reply, body, finding, words) => {
    const found = await find(reply, body);
    expect(found).toMatchObject({ finding, models: [] });
    expect(found.message).toMatch(words);
  });

  it('tells that nobody is there, and how', async () => {
    const api = await start();
    const at = (baseUrl: string): Promise<ConnectionTest> =>
      test(api, { provider: 'openai_compatible', baseUrl });
    expect(await at('http://127.0.0.1:9/v1')).toMatchObject({
      finding: 'unreachable',
      message: expect.stringContaining('Nothing answered at http://127.0.0.1:9;') as string,
    });
    expect(await at('http://nobody.invalid/v1')).toMatchObject({ finding: 'unreachable' });
  });

  it('tells that somebody else listens there', async () => {
    const chatter = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('220 mail.example ESMTP\r\n');
    });
    chatter.listen(0, '127.0.0.1');
    onTestFinished(() => void chatter.close());
    await once(chatter, 'listening');
    const { port } = chatter.address() as AddressInfo;
    // The first request over TLS also loads what the system trusts.
    const api = await startTestService({
      connections: { limits: { ...SOON.limits, connectMs: 5_000, wholeMs: 5_000 } },
    });
    const plain = await test(api, { provider: 'ollama', baseUrl: `http://127.0.0.1:${port}` });
    expect(plain.finding).toBe('wrong_address');
    const server = await startListingServer(() => openAiList('a'));
    const secure = await test(api, { provider: 'ollama', baseUrl: server.origin.replace('http', 'https') });
    expect([secure.finding, secure.message]).toEqual(['wrong_address', expect.stringContaining('try http')]);
  });

  it.each([
    ['openai_compatible', '/v1', openAiList('a')],
    ['anthropic', '/v1', { status: 401, json: {} }],
    ['google', '/v1beta', { json: { models: [] } }],
  ] as const)(
    'says when only the version is missing from the address: %s',
    async (provider, version, reply) => {
      const server = await startListingServer(byPath({ [`${version}/models`]: reply }));
      const found = await test(await start(), { provider, baseUrl: server.origin, apiKey: KEY });
      expect(found).toMatchObject({
        finding: 'wrong_address',
        message: `The address needs ${version} at its end: ${server.origin}${version}.`,
      });
    },
  );

  it('follows a redirect within the server, and takes a key to no other', async () => {
    const other = await startListingServer(() => openAiList('stolen'));
    const server = await startListingServer(
      byPath({
        '/v1/models': { status: 307, headers: { location: '/moved/models' }, text: '' },
        '/moved/models': openAiList('a'),
        '/away/models': { status: 307, headers: { location: `${other.origin}/v1/models` }, text: '' },
        '/round/models': { status: 301, headers: { location: '/round/models' }, text: '' },
      }),
    );
    const api = await start();
    const at = (path: string): Promise<ConnectionTest> =>
      test(api, { provider: 'openai_compatible', baseUrl: server.origin + path, apiKey: KEY });
    expect(await at('/v1')).toMatchObject({ finding: 'ok', models: ['a'] });
    expect((await at('/away')).finding).toBe('wrong_address');
    expect((await at('/round')).finding).toBe('wrong_address');
    expect(other.requests).toEqual([]);
  });

  it('knows Google’s answer to a bad key', async () => {
    const server = await startListingServer(() => ({
      status: 400,
      json: { error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } },
    }));
    const found = await test(await start(), {
      provider: 'google',
      baseUrl: `${server.origin}/v1beta`,
      apiKey: KEY,
    });
    expect(found.finding).toBe('wrong_key');
  });
});

describe('a test with a model', () => {
  it.each([
    [
      'openai_compatible',
      '/chat/completions',
      { choices: [] },
      { model: 'm/1', max_tokens: 1, stream: false },
    ],
    ['openai', '/chat/completions', { choices: [] }, { model: 'm/1', max_completion_tokens: 16 }],
    ['anthropic', '/messages', { content: [] }, { model: 'm/1', max_tokens: 1 }],
    [
      'google',
      '/models/m%2F1:generateContent',
      { candidates: [] },
      { generationConfig: { maxOutputTokens: 1 } },
    ],
    ['ollama', '/api/chat', { message: {} }, { model: 'm/1', stream: false, options: { num_predict: 1 } }],
  ])('asks it for a word, in the format of %s', async (provider, path, reply, asked) => {
    const server = await startListingServer(byPath({ [path]: { json: reply } }));
    const found = await test(await start(), { provider, baseUrl: server.origin, apiKey: KEY, model: 'm/1' });
    expect(found).toMatchObject({ finding: 'ok', message: 'm/1 answers.' });
    expect(server.requests.map(({ method }) => method)).toEqual(['POST']);
    expect(server.requests[0]?.json).toMatchObject(asked);
  });

  it.each([
    ['openai_compatible', "Unsupported parameter: 'max_tokens' is not supported with this model."],
    ['openai', 'Extra inputs are not permitted: max_completion_tokens'],
    ['mistral', { detail: [{ loc: ['body', 'max_tokens'], msg: 'max_tokens must be at least 16' }] }],
  ] as const)('does without the limit that its server refuses, as chats do: %s', async (provider, says) => {
    const server = await startListingServer(({ json }) =>
      JSON.stringify(json).includes('max_')
        ? { status: 400, json: typeof says === 'string' ? { error: { message: says } } : says }
        : { json: { choices: [{ message: { content: 'Hi.' } }] } },
    );
    const baseUrl = `${server.origin}/v1`;
    const found = await test(await start(), { provider, baseUrl, apiKey: KEY, model: 'm' });
    expect(found).toMatchObject({ finding: 'ok', message: 'm answers.' });
    expect(server.requests).toHaveLength(2);
  });

  it('is good for a model that only streams its answers', async () => {
    const message = 'This model only support stream mode, please enable the stream parameter.';
    const reply = { status: 400, json: { error: { message } } };
    expect((await find(reply, { model: 'm' })).finding).toBe('ok');
    const event = (json: object): ListingReply => ({ text: `: hi\n\ndata: ${JSON.stringify(json)}\n\n` });
    const answered = event({ choices: [{ delta: { content: 'Hi' } }] });
    expect((await find(answered, { model: 'm' })).finding).toBe('ok');
    expect((await find(event({ error: { message: 'Out of order' } }), { model: 'm' })).finding).not.toBe(
      'ok',
    );
  });

  const withWord = (word: ListingReply, list: ListingReply): Promise<ListingServer> =>
    startListingServer(byPath({ '/v1/chat/completions': word, '/v1/models': list }));

  it.each<[string, ListingReply, ListingReply, string, RegExp]>([
    [
      'a 404 for a model that isn’t listed',
      { status: 404, json: {} },
      openAiList('a'),
      'no_such_model',
      /no model “m”/,
    ],
    [
      'a 400 for a model that isn’t listed',
      { status: 400, json: {} },
      openAiList('a'),
      'no_such_model',
      /no model “m”/,
    ],
    [
      'a 400 for one that is',
      { status: 400, json: { error: { message: 'Too odd' } } },
      openAiList('m'),
      'failed',
      /\(400\): “Too odd”/,
    ],
    [
      'a model that only came to think',
      { status: 400, json: { error: { message: 'max_tokens or model output limit was reached.' } } },
      openAiList('m'),
      'ok',
      /answers/,
    ],
    [
      'a 200 that holds an error',
      { json: { error: 'Unexpected endpoint' } },
      openAiList('m'),
      'failed',
      /Unexpected/,
    ],
    [
      'a 200 with a detail',
      { json: { detail: 'No such thing' } },
      openAiList('m'),
      'failed',
      /No such thing/,
    ],
    [
      'a 200 with a code',
      { json: { code: 500, msg: 'Out of order' } },
      openAiList('m'),
      'failed',
      /Out of order/,
    ],
    [
      'an answer with a word beside it',
      { json: { choices: [], message: 'success' } },
      openAiList('m'),
      'ok',
      /m/,
    ],
    [
      'a 404 where nothing is',
      { status: 404, json: {} },
      { status: 404, json: {} },
      'wrong_address',
      /check the address/,
    ],
    ['a wrong key', { status: 401, json: {} }, openAiList('m'), 'wrong_key', /did not accept/],
    ['too many requests', { status: 429, json: {} }, openAiList('m'), 'rate_limited', /try again later/],
    ['no answer', 'hang', openAiList('m'), 'too_slow', /loading a model/],
    ['a fault', { status: 500, json: { error: 'boom' } }, openAiList('m'), 'failed', /“boom”/],
  ])('tells what %s means', async (_what, word, list, finding, words) => {
    const server = await withWord(word, list);
    const found = await test(await start(), {
      provider: 'openai_compatible',
      baseUrl: `${server.origin}/v1`,
      apiKey: KEY,
      model: 'm',
    });
    expect(found.finding).toBe(finding);
    expect(found.message).toMatch(words);
  });
});

describe('a test of a connection', () => {
  it('is made with its address and key, or with what would be changed, and changes nothing', async () => {
    const server = await startListingServer(({ headers }) =>
      headers['authorization'] === `Bearer ${KEY}` ? openAiList('a') : { status: 401, json: {} },
    );
    const other = await startListingServer(() => openAiList('other'));
    const api = await start();
    const { connection } = (
      await api.post('/api/v1/connections', {
        provider: 'openai_compatible',
        baseUrl: `${server.origin}/v1`,
        apiKey: KEY,
      })
    ).json<{ connection: Connection }>();
    const outcome = async (change: object): Promise<string> =>
      (await test(api, { connectionId: connection.id, ...change })).finding;
    expect(await outcome({})).toBe('ok');
    expect(await outcome({ baseUrl: `${server.origin}/other` })).toBe('ok');
    expect(await outcome({ apiKey: 'wrong' })).toBe('wrong_key');
    expect(await outcome({ apiKey: null })).toBe('key_needed');
    // The key that is kept is for its own server alone.
    expect(await outcome({ baseUrl: `${other.origin}/v1` })).toBe('ok');
    expect(other.requests[0]?.headers['authorization']).toBeUndefined();
    expect(await outcome({})).toBe('ok');
  });

  it('is refused for none, and for one that is not there', async () => {
    const api = await start();
    for (const [body, status, code] of [
      [{}, 400, 'invalid_request'],
      [{ provider: 'openai_compatible' }, 400, 'invalid_request'],
      [{ provider: 'x' }, 400, 'invalid_request'],
      [{ connectionId: 'nowhere' }, 404, 'connection_not_found'],
    ] as const) {
      const answer = await api.post('/api/v1/connections/test', body);
      expect([answer.status, answer.error().code]).toEqual([status, code]);
    }
  });
});
