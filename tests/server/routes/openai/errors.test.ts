/** What is refused under `/v1`, and how that is told. */
import OpenAI, { APIError, AuthenticationError, NotFoundError, PermissionDeniedError } from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CreatedKey } from '../../../../shared/api/key.ts';
import { PARTIAL_TEXT, type ScenarioName } from '../../../support/model-servers/scenarios.ts';
import { CONNECTED, startConnectedService } from '../../../support/connected-service.ts';

const service = await startConnectedService();
const client: OpenAI = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey, maxRetries: 0 });

beforeEach(() => service.model.play('plain'));

interface Reported {
  error: { message: string; type: string; param: string | null; code: string | null };
}

const USER = [{ role: 'user', content: 'Hi' }];
const complete = async (body: object): Promise<[number, Reported['error']]> => {
  const answer = await service.post('/v1/chat/completions', {
    model: 'offline-assistant',
    messages: USER,
    ...body,
  });
  return [answer.status, answer.json<Reported>().error];
};
const keyOf = async (body: object): Promise<string> =>
  (await service.post('/api/v1/keys', { name: 'program', ...body })).json<CreatedKey>().apiKey;

describe('whoever has no right', () => {
  it('is told so in the format', async () => {
    const stranger = new OpenAI({ baseURL: service.baseURL, apiKey: 'parley_wrong', maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toThrow(AuthenticationError);
    await expect(stranger.models.list()).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
    const none = await service.get('/v1/nothing', { key: null });
    expect([none.status, none.json<Reported>().error.type]).toEqual([401, 'invalid_request_error']);
    expect(none.headers['www-authenticate']).toBe('Bearer');
  });

  it('of a key that is bound can’t name another workspace, and an unbound one must name one to keep something', async () => {
    const bound = new OpenAI({
      baseURL: service.baseURL,
      apiKey: await keyOf({ workspaceId: service.workspaceId }),
      maxRetries: 0,
    });
    const body = { model: 'offline-assistant', input: 'What is 2+2?' };
    await expect(bound.responses.create(body, { headers: { 'X-Workspace-Id': 'other' } })).rejects.toThrow(
      PermissionDeniedError,
    );
    const unbound = new OpenAI({ baseURL: service.baseURL, apiKey: await keyOf({}), maxRetries: 0 });
    expect((await unbound.responses.create(body)).output_text).toContain('4');
    await expect(unbound.responses.create({ ...body, store: true })).rejects.toMatchObject({
      status: 400,
      code: 'workspace_required',
    });
    const headers = { 'X-Workspace-Id': service.workspaceId };
    const kept = await unbound.responses.create({ ...body, store: true }, { headers });
    expect((await unbound.responses.retrieve(kept.id)).output_text).toContain('4');
  });

  it('comes from a page that is not on the list, or from one that is', async () => {
    const origin = 'https://app.example';
    const ask = (method: string): Promise<{ status: number; headers: Record<string, unknown> }> =>
      service.request({
        method,
        path: '/v1/models',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization, x-stainless-os',
        },
      });
    const refused = await ask('GET');
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    const allowed = { method: 'PATCH', path: '/api/v1/settings', json: { allowedOrigins: [origin] } };
    expect((await service.request(allowed)).status).toBe(200);
    const preflight = await ask('OPTIONS');
    expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      'authorization, x-stainless-os',
    ]);
    expect((await ask('GET')).headers['access-control-allow-origin']).toBe(origin);
  });
});

describe('a request', () => {
  it.each([
    [
      'no body to speak of',
      { model: undefined, messages: undefined },
      'model',
      /"model" is missing.*"messages" is missing/,
    ],
    ['an unknown model', { model: 'gpt-4o' }, 'model', /“gpt-4o” does not exist. GET \/v1\/models/],
    ['an unknown agent', { model: 'agent:nobody' }, 'model', /does not exist/],
    ['a flag that is none', { stream: 'yes' }, 'stream', /"stream" must be true, false or null\./],
    ['a message that is none', { messages: [null] }, 'messages[0]', /must be a message with a "role"/],
    ['no messages', { messages: [] }, 'messages', /must be a list of messages/],
    [
      'an empty system message and no more',
      { messages: [{ role: 'system', content: '' }] },
      'messages',
      /user/,
    ],
    ['an odd role', { messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role', /one of "system"/],
    [
      'an assistant’s last word, to an agent',
      { messages: [...USER, { role: 'assistant', content: 'Yes?' }] },
      'messages',
      /last message/,
    ],
    ['nothing said', { messages: [{ role: 'user', content: '  ' }] }, 'messages', /not be empty/],
    [
      'a picture',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      'messages[0].content[0].image_url',
      /must be the data itself/,
    ],
    [
      'a sound',
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'messages[0].content[0]',
      /other parts are not supported/,
    ],
    [
      'content that is none',
      { messages: [{ role: 'user', content: 5 }] },
      'messages[0].content',
      /must be a text/,
    ],
    [
      'a result of no call',
      { messages: [...USER, { role: 'tool', tool_call_id: 'x', content: '1' }] },
      'messages[1].tool_call_id',
      /id of one in the "tool_calls"/,
    ],
    [
      'a call without a name',
      { messages: [...USER, { role: 'assistant', tool_calls: [{ id: 'x' }] }] },
      'messages[1].tool_calls',
      /list of calls/,
    ],
    ['more choices than one', { n: 2 }, 'n', /one choice/],
    ['likelihoods', { logprobs: true }, 'logprobs', /are not available/],
    ['sounds in answer', { modalities: ['text', 'audio'] }, 'modalities', /text only/],
    ['functions of old', { functions: [{ name: 'x' }] }, 'functions', /"tools"/],
    ['a tool of no type', { tools: [{ name: 'x' }] }, 'tools[0].type', /such as "function"/],
    ['a choice of a tool of OpenAI’s', { tool_choice: { type: 'web_search' } }, 'tool_choice', /must be/],
    [
      'a tool of no name',
      { tools: [{ type: 'function', function: { name: 'a b' } }] },
      'tools[0]',
      /1 to 64/,
    ],
    [
      'a tool that must be called, to an agent',
      { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' },
      'tool_choice',
      /Agents and built-in models only use their own tools; .* name a connected model/,
    ],
    ['a format that is no object', { response_format: 'json' }, 'response_format', /must be of the type/],
    [
      'a choice of no tool',
      { tool_choice: { type: 'function', function: { name: 'f' } } },
      'tool_choice',
      /must be/,
    ],
    ['heat beyond bounds', { temperature: 3 }, 'temperature', /from 0 to 2/],
    ['effort of no kind', { reasoning_effort: 'huge' }, 'reasoning_effort', /must be one of/],
    [
      'a workspace that is none',
      { workspaceId: 'nowhere', model: 'agent:writer' },
      null,
      /another workspace/,
    ],
  ])('with %s is refused in words', async (_, body, param, words) => {
    const [status, error] = await complete(body);
    expect([400, 403, 404]).toContain(status);
    expect(error.message).toMatch(words);
    expect(error.param).toBe(param);
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  });

  it('may hold what asks for nothing, and fields that nobody knows', async () => {
    const harmless = {
      n: 1,
      logprobs: false,
      modalities: ['text'],
      tools: null,
      stop: null,
      temperature: null,
      logit_bias: {},
      top_k: 40,
      user: 'me',
      parallel_tool_calls: false,
    };
    const answer = await service.post('/v1/chat/completions', {
      model: 'offline-assistant',
      messages: USER,
      ...harmless,
    });
    expect(answer.status).toBe(200);
  });

  it('that can’t be read, or goes nowhere, is refused in the format, too', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await service.request({
      method: 'POST',
      path: '/v1/chat/completions',
      body: '{',
      headers,
    });
    expect([broken.status, broken.json<Reported>().error.code]).toEqual([400, 'invalid_json']);
    const levels = 50_000;
    const schema = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const tools = `[{"type":"function","function":{"name":"f","parameters":${schema}}}]`;
    const messages = JSON.stringify(USER);
    for (const fields of [
      `"tools":${tools}`,
      `"response_format":{"type":"json_schema","json_schema":{"schema":${schema}}}`,
    ]) {
      const body = `{"model":"rehearsal","messages":${messages},${fields}}`;
      const deep = await service.request({ method: 'POST', path: '/v1/chat/completions', body, headers });
      expect([deep.status, deep.json<Reported>().error.message]).toEqual([
        400,
        expect.stringContaining('levels deep'),
      ]);
    }
    const nowhere = await service.get('/v1/files');
    expect([nowhere.status, nowhere.json<Reported>().error.code]).toEqual([404, 'not_found']);
    const bad = await service.get('/v1/%zz');
    expect([bad.status, bad.json<Reported>().error.type]).toEqual([400, 'invalid_request_error']);
  });

  it.each([
    ['an item of no kind', { input: [{ type: 'computer' }] }, 'input[0].type'],
    ['an item that nobody knows', { input: [{ type: 'item_reference', id: 'msg_x' }] }, 'input[0].id'],
    [
      'an output of no call',
      { input: [{ type: 'function_call_output', call_id: 'x', output: '1' }] },
      'input[0].call_id',
    ],
    ['a conversation of OpenAI’s', { conversation: 'conv_1' }, 'conversation'],
    ['an unknown response before it', { previous_response_id: 'resp_x' }, 'previous_response_id'],
    ['background, and not to be kept', { background: true, store: false }, 'store'],
    ['no input', { input: undefined }, 'input'],
  ])('for a response with %s is refused in words', async (_, body, param) => {
    const answer = await service.post('/v1/responses', { model: 'offline-assistant', input: 'Hi', ...body });
    expect([400, 404]).toContain(answer.status);
    expect(answer.json<Reported>().error.param).toBe(param);
  });
});

describe('what goes wrong with a connected model', () => {
  it.each<[ScenarioName, number, string]>([
    ['key-refused', 502, 'model_key_refused'],
    ['no-model', 404, 'model_not_found'],
    ['context-too-long', 400, 'context_length_exceeded'],
    ['filters-prompt', 502, 'model_failed'],
  ])('%s: is an answer of the status %i', async (scenario, status, code) => {
    service.model.play(scenario);
    for (const stream of [false, true]) {
      const asked = client.chat.completions.create({
        model: CONNECTED,
        messages: [{ role: 'user', content: 'Hi' }],
        stream,
      });
      await expect(asked).rejects.toMatchObject({ status, code });
    }
  });

  it.each<[ScenarioName, boolean]>([
    ['slow-fault', false],
    ['slow-fault', true],
    ['fault-midway', false],
    ['fault-midway', true],
  ])('in the middle ends the stream with it, after what came (%s, kept: %s)', async (scenario, store) => {
    service.model.play(scenario);
    const stream = await client.chat.completions.create({
      model: CONNECTED,
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      store,
    });
    let text = '';
    const reading = (async () => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toThrow(APIError);
    await expect(reading).rejects.toMatchObject({ code: 'model_failed' });
    expect(text).toBe(PARTIAL_TEXT);
  });

  it('right after the first words ends a stream of a response with it, after what came', async () => {
    service.model.play('fault-midway');
    const stream = await client.responses.create({ model: CONNECTED, input: 'Hi', stream: true });
    let text = '';
    let failure: string | undefined;
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (event.type === 'response.failed') failure = event.response.error?.code;
    }
    expect([text, failure]).toEqual([PARTIAL_TEXT, 'model_failed']);
  });

  it('is an unknown model to its server, too, with the class of the client for it', async () => {
    await expect(client.models.retrieve('box/nobody')).rejects.toThrow(NotFoundError);
  });
});
