import { APICallError } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { maskOf } from '../../../server/connections/credentials.ts';
import { readFault, type FaultKind } from '../../../server/models/model-fault.ts';
import { redact } from '../../../server/lib/redact.ts';

const answer = (
  statusCode: number,
  body: unknown,
  responseHeaders: Record<string, string> = {},
): APICallError =>
  new APICallError({
    message: 'no',
    url: 'http://127.0.0.1/v1',
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
  });
const said = (message: string): unknown => ({ error: { message } });

describe('what an answer means', () => {
  test.each<[FaultKind, boolean, number, unknown]>([
    [
      'too_long',
      false,
      400,
      said(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      ),
    ],
    ['too_long', false, 400, said('prompt is too long: 205000 tokens > 200000 maximum')],
    [
      'too_long',
      false,
      400,
      said('input length and `max_tokens` exceed context limit: 190000 + 21333 > 204698'),
    ],
    [
      'too_long',
      false,
      400,
      said('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
    ],
    [
      'too_long',
      false,
      400,
      said('the request exceeds the available context size. try increasing the context size'),
    ],
    [
      'too_long',
      false,
      400,
      {
        error:
          'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      },
    ],
    ['too_large', false, 413, '<html>Payload too large</html>'],
    ['too_large', false, 413, ''],
    ['too_large', false, 413, said('Request exceeds the maximum size')],
    ['too_long', false, 413, said('Request body too large for gpt-4o model. Max size: 8000 tokens.')],
    ['unreachable', false, 407, '<title>Proxy Authentication Required</title>'],
    ['refused', false, 304, ''],
    [
      'too_long',
      false,
      400,
      {
        error: {
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"The prompt is too long."}}', provider_name: 'X' },
        },
      },
    ],
    ['too_long', false, 400, said('{"error":{"message":"The prompt is too long."}}')],
    ['no_tools', false, 400, { error: 'registry.ollama.ai/library/gemma:2b does not support tools' }],
    [
      'no_tools',
      false,
      400,
      said('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    ],
    ['no_tools', false, 404, said('No endpoints found that support tool use.')],
    ['no_tools', false, 500, said('tools param requires --jinja flag')],
    ['no_tools', false, 400, said('`tool calling` is not supported with this model')],
    ['no_tools', false, 400, said('deepseek-reasoner does not support Function Calling')],
    ['key_refused', false, 401, said('Incorrect API key provided.')],
    ['key_refused', false, 403, ''],
    // A page of something in front of the server says nothing about the key.
    ['refused', false, 403, '<!doctype html><title>Just a moment...</title>'],
    ['no_model', false, 404, { error: 'Unexpected endpoint or method. (POST /chat/completions)' }],
    [
      'server_fault',
      true,
      400,
      { error: { message: 'Failed to call a function. See ‘failed_generation’.', code: 'tool_use_failed' } },
    ],
    ['server_fault', true, 500, { error: 'error parsing tool call: raw=’{"tools', n: 1 }],
    ['key_refused', false, 400, [{ error: { message: 'API key not valid. Please pass a valid API key.' } }]],
    ['used_up', false, 402, said('Insufficient credits')],
    [
      'used_up',
      false,
      429,
      { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } },
    ],
    ['used_up', false, 400, said('Your credit balance is too low to access the API.')],
    ['no_pictures', false, 404, said('No endpoints found that support image input')],
    ['no_pictures', false, 500, said('image input is not supported')],
    ['no_pictures', false, 400, said('messages[0]: unknown variant `image_url`, expected `text`')],
    ['refused', false, 400, said('The image type image/tiff is not supported')],
    ['refused', false, 403, said('Country, region, or territory not supported')],
    [
      'refused',
      false,
      403,
      said('The chosen model requires moderation. Your input was flagged for "violence".'),
    ],
    ['key_refused', false, 403, said('You do not have permission to use this model.')],
    ['key_refused', false, 403, { detail: 'Forbidden' }],
    ['key_refused', false, 403, ''],
    ['used_up', false, 403, said('This API method requires billing to be enabled.')],
    ['no_model', false, 404, { error: 'model "llama9" not found, try pulling it first' }],
    ['busy', true, 429, said('Rate limit reached')],
    // A limit of tokens per minute, not of the context.
    ['busy', true, 429, said('Request too large on tokens per min: the input is too long. Limit 30000.')],
    ['loading', true, 503, said('The model is loading')],
    ['busy', true, 529, said('Overloaded')],
    ['server_fault', true, 500, said('oops')],
    ['server_fault', true, 408, ''],
    ['refused', false, 400, said('temperature must be below 2')],
  ])('%s, may pass: %s: %i %j', (kind, canPass, status, body) => {
    expect(readFault(answer(status, body), redact)).toMatchObject({ kind, canPass });
  });

  test('how long to wait, in seconds, in milliseconds and as a date', () => {
    const wait = (headers: Record<string, string>): number | null =>
      readFault(answer(429, '', headers), redact).waitMs;
    expect(wait({ 'retry-after': '7' })).toBe(7_000);
    expect(wait({ 'retry-after': '7', 'retry-after-ms': '250' })).toBe(250);
    expect(wait({ 'retry-after': new Date(Date.now() + 30_000).toUTCString() })).toBeGreaterThan(25_000);
    expect(wait({ 'retry-after': 'soon' })).toBeNull();
    expect(wait({})).toBeNull();
  });

  test('what the provider says is one line of bounded length, without controls or keys, and of a page its title', () => {
    const detail = (body: unknown, apiKey: string | null = null): string =>
      readFault(answer(400, body), maskOf({ apiKey })).detail;
    expect(detail(said('one\n\u0007two\u202e three'))).toBe('one two three');
    expect(detail(said('x'.repeat(10_000)))).toHaveLength(200);
    expect(detail('<!doctype html><title>\nBad request </title><h1>No</h1>')).toBe('Bad request');
    expect(detail('<h1>Bad request</h1>')).toBe('Bad request');
    expect(detail('<p>Bad request</p>')).toBe('HTTP 400');
    expect(detail('<?xml version="1.0"?><Error><Code>Bad</Code><Message>a reason</Message></Error>')).toBe(
      'a reason',
    );
    for (const body of [
      { code: 40001, reason: 'a reason' },
      { errcode: 1, errmsg: 'a reason' },
      { error: 'invalid_token', error_description: 'a reason' },
      { type: 'about:blank', title: 'a reason', status: 400 },
      { title: 'Bad', detail: 'a reason' },
      { errors: [{ title: 'a reason' }] },
    ])
      expect(detail(body)).toBe('a reason');
    expect(detail(said('the key hunter2hunter2 is bad'), 'hunter2hunter2')).toBe('the key … is bad');
    // Words in place of a key hide nothing.
    for (const word of ['ollama', 'o', 'none'])
      expect(detail(said('the model is not found in the ollama registry'), word)).toBe(
        'the model is not found in the ollama registry',
      );
    expect(detail(said('the key sk-proj-abcdefghijklmnop is bad'))).toBe('the key sk-… is bad');
    expect(detail({ detail: 'a reason' })).toBe('a reason');
    expect(detail('')).toBe('HTTP 400');
  });
});

test.each<[FaultKind, boolean, string]>([
  ['unreachable', true, 'ECONNREFUSED'],
  ['unreachable', false, 'ENOTFOUND'],
  ['unreachable', false, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['broke_off', true, 'ECONNRESET'],
  ['broke_off', true, 'UND_ERR_SOCKET'],
])('%s, may pass: %s: %s', (kind, canPass, code) => {
  const error = new TypeError('fetch failed', { cause: Object.assign(new Error('network'), { code }) });
  expect(readFault(error, redact)).toMatchObject({ kind, canPass, detail: code });
});

test('what a stream reports of itself', () => {
  const overloaded = { type: 'overloaded_error', message: 'Overloaded' };
  expect(readFault(overloaded, redact)).toMatchObject({ kind: 'busy', canPass: true });
  expect(readFault({ error: 'an error of CUDA' }, redact)).toMatchObject({
    kind: 'server_fault',
    detail: 'an error of CUDA',
  });
  expect(readFault(new Error('odd'), redact)).toMatchObject({ kind: 'unknown', canPass: false });
  expect(readFault('context length exceeded', redact).kind).toBe('too_long');
});
