/** Errors that stand within an answer of status 200: what they mean is told, whatever the format. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TurnErrorCode } from '../../../shared/errors.ts';
import { startModelServer } from '../../support/model-servers/model-server.ts';
import { accessTo, runModelTurn } from '../../support/model-servers/model-turn.ts';
import { PROVIDER_WIRES } from '../../support/model-servers/provider-wires.ts';
import { startRawServer } from '../../support/model-servers/raw-server.ts';
import { PARTIAL_TEXT } from '../../support/model-servers/scenarios.ts';

type Case = [TurnErrorCode, RegExp, unknown];

const CASES: readonly Case[] = [
  ['model_overloaded', /too busy/, { error: { code: 429, message: 'Slow down, please.' } }],
  ['model_overloaded', /too busy/, { error: { code: '429', message: 'Slow down, please.' } }],
  ['model_overloaded', /too busy/, { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }],
  [
    'model_overloaded',
    /was still loading “fake-model”/,
    { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
  ],
  [
    'model_overloaded',
    /no more requests on this account/,
    { error: { code: 'insufficient_quota', message: 'No.' } },
  ],
  ['model_overloaded', /no more requests/, { error: { code: 402, message: 'Insufficient credits' } }],
  ['model_key_refused', /refused the key/, { error: { code: 'invalid_api_key', message: 'No.' } }],
  ['model_key_refused', /refused the key/, { error: { code: 401, message: 'User not found.' } }],
  ['model_key_refused', /refused the key/, { error: { status: 'UNAUTHENTICATED', message: 'No.' } }],
  ['model_not_found', /has no model/, { error: { code: 'model_not_found', message: 'No.' } }],
  ['model_not_found', /has no model/, { error: { code: 404, message: 'No such model.' } }],
  ['context_too_long', /longer than/, { error: { code: 'context_length_exceeded', message: 'No.' } }],
  ['model_failed', /refused the request/, { error: { code: 400, message: 'Bad temperature.' } }],
  ['model_failed', /fault of its own/, { error: { code: 500, message: 'Oh dear.' } }],
  ['model_failed', /fault of its own/, { error: 'Oh dear.' }],
  // Without a field `error` that has the words.
  ['model_failed', /fault of its own.*Oh dear/, { detail: 'Oh dear.' }],
  ['model_failed', /Field required/, { detail: [{ loc: ['body', 'n'], msg: 'Field required' }] }],
  ['model_failed', /Oh dear/, { message: 'Oh dear.' }],
  ['model_failed', /Oh dear/, { Message: 'Oh dear.' }],
  ['model_failed', /Oh dear/, { success: false, error: null, msg: 'Oh dear.' }],
  ['model_failed', /Oh dear/, { error: true, message: 'Oh dear.' }],
  ['model_failed', /Oh dear/, { error_code: 17, error_msg: 'Oh dear.' }],
  ['model_overloaded', /too busy.*Slow down/, { code: 429, message: 'Slow down.' }],
  ['model_overloaded', /too busy.*Slow down/, { code: 'Throttling.RateQuota', message: 'Slow down.' }],
  ['model_overloaded', /too busy.*Slow down/, { status_code: 429, detail: 'Slow down.' }],
  ['model_key_refused', /refused the key/, { code: 'InvalidApiKey', message: 'No.' }],
  ['model_not_found', /has no model/, { object: 'error', message: 'No.', code: 404 }],
  ['context_too_long', /longer than/, { code: 400, msg: 'Prompt is too long.' }],
];

describe.each(PROVIDER_WIRES)('%s', (provider, wire) => {
  it('tells what each reported error means, and keeps what was written before it', async () => {
    const server = await startModelServer(wire, { scenario: 'reports' });
    onTestFinished(() => server.close());
    for (const [code, message, report] of CASES) {
      const { result } = await runModelTurn(JSON.stringify(report), accessTo(server, provider));
      expect(result, JSON.stringify(report)).toMatchObject({
        outcome: 'failed',
        content: PARTIAL_TEXT,
        error: { code, message: expect.stringMatching(message) as string },
      });
    }
  });

  it.each([
    'event: error\ndata: {"code":429,"message":"Slow down."}\n\n',
    'event: stream_exception\ndata: {"code":429,"message":"Slow down."}\n\n',
    'data: {"code":429,"message":"Slow down."}\n\ndata: [DONE]\n\n',
    '{"code":429,"message":"Slow down."}\n',
  ])('reads %j', async (body) => {
    const server = await startRawServer(() => ({ body }));
    const { result } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_overloaded' } });
  });

  it('tries again when it is reported before the first word and may pass, and not otherwise', async () => {
    const server = await startModelServer(wire, { scenario: 'reports' });
    onTestFinished(() => server.close());
    const access = accessTo(server, provider);
    await runModelTurn('{"atOnce":true,"error":{"code":429,"message":"Slow down."}}', access);
    expect(server.asked()).toHaveLength(3);
    const { result } = await runModelTurn('{"atOnce":true,"error":{"code":401,"message":"No."}}', access);
    expect(server.asked()).toHaveLength(4);
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_key_refused' } });
  });

  it.each([
    ['application/json', '{"error":{"message":"No.","code":"invalid_api_key"}}', 'model_key_refused'],
    [
      'application/json; charset=utf-8',
      '{\n  "error": {\n    "code": 404,\n    "message": "No." } }',
      'model_not_found',
    ],
    ['text/html', '<html><title>Sign in</title></html>', 'model_failed'],
  ])('reads %s in place of a stream: %s', async (type, body, code) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { result } = await runModelTurn('hello', {
      provider,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: 'sk-test-0123456789abcdef',
      modelId: 'fake-model',
    });
    expect(result).toMatchObject({ outcome: 'failed', error: { code } });
  });
});
