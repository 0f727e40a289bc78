/** Waiting for a model: as long as its server says, or as long as there is a sign of life, and the chat is told what for. */
import { describe, expect, it } from 'vitest';
import { readFault } from '../../../server/models/model-fault.ts';
import { waitIn } from '../../../server/models/requested-wait.ts';
import { redact } from '../../../server/lib/redact.ts';
import { APICallError } from '@ai-sdk/provider';
import { runModelTurn } from '../../support/model-servers/model-turn.ts';
import { WIRES } from '../../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../../support/model-servers/provider-wires.ts';
import { startRawServer, type RawAnswer } from '../../support/model-servers/raw-server.ts';
import { PLAIN_TEXT, tokens } from '../../support/model-servers/scenarios.ts';
import type { Asked } from '../../support/model-servers/wire.ts';
import { applyUpdate, NO_GROWTH, type Growth } from '../../../shared/growth.ts';
import { recordedPorts } from '../../support/turns.ts';

const ASKED: Asked = { model: 'fake-model', stream: true, messages: [], tools: [], toolResults: [] };
const json = { 'content-type': 'application/json' };
const refusal = (status: number, body: unknown, headers = {}): RawAnswer => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
});
const LOADING = refusal(503, {
  error: { code: 503, message: 'Loading model', type: 'unavailable_error' },
});

describe.each(PROVIDER_WIRES)('%s', (provider, name) => {
  const wire = WIRES[name];
  const { pieces, end } = wire.pieces(ASKED, { kind: 'answer', text: tokens(PLAIN_TEXT) });
  const headers = { 'content-type': wire.contentType };
  const fine: RawAnswer = { body: [...pieces, ...end].join(''), headers };
  const comment = wire.contentType.includes('ndjson') ? '\n' : ': processing\n\n';
  const said = (ports: ReturnType<typeof recordedPorts>): string[] =>
    ports.updates.flatMap(({ waiting }) => (waiting === undefined || waiting === '' ? [] : [waiting]));

  it('waits for a model that is loading, however often it is asked', async () => {
    const server = await startRawServer((request) => (request < 7 ? LOADING : fine));
    const { result, ports } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
    expect(server.bodies).toHaveLength(8);
    expect(said(ports)[0]).toMatch(/^Waiting for .* to load the model \(“Loading model”\)\.$/);
    // Nothing is waited for any more.
    expect(ports.updates.reduce<Growth>(applyUpdate, NO_GROWTH).waiting).toBe('');
  });

  it('can be stopped while it waits', async () => {
    const server = await startRawServer(() => LOADING);
    const ports = recordedPorts();
    const running = runModelTurn('hello', server.access(provider), { ports });
    await ports.seen(({ waiting }) => waiting !== undefined && waiting !== '');
    ports.abort(new DOMException('stopped', 'AbortError'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('waits as long as the server says, and says so', async () => {
    const busy = refusal(429, { error: { message: 'Rate limit reached. Please try again in 1.2s.' } });
    const server = await startRawServer((request) => (request === 0 ? busy : fine));
    const { result, ports } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
    const [first = 0, second = 0] = server.times;
    expect(second - first).toBeGreaterThanOrEqual(1_190);
    expect(said(ports)[0]).toMatch(/is busy \(“Rate limit reached.*”\)\. Parley asks again in a second\.$/);
  });

  it('waits for the first word for as long as there are signs of life', async () => {
    const alive = { text: comment, everyMs: 100, times: 12 };
    const server = await startRawServer(() => ({ ...fine, alive }));
    const patience = { firstTokenMs: 600, noticeMs: 200 };
    const { result, ports } = await runModelTurn('hello', server.access(provider), { patience });
    expect(result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
    expect(said(ports)[0]).toMatch(/^Waiting for the first word of “fake-model”/);
  });

  it('gives up when even those end, or come for too long', async () => {
    const patience = { firstTokenMs: 500 };
    const silent = await startRawServer(() => ({ body: '', then: 'open', headers }));
    const timedOut = { outcome: 'failed', error: { code: 'timed_out' } };
    expect((await runModelTurn('hello', silent.access(provider), { patience })).result).toMatchObject(
      timedOut,
    );
    const alive = { text: comment, everyMs: 100, times: 100 };
    const endless = await startRawServer(() => ({ ...fine, alive }));
    const { result } = await runModelTurn('hello', endless.access(provider), {
      patience: { ...patience, longestMs: 800 },
    });
    expect(result).toMatchObject(timedOut);
  });

  it('waits longer, or not so long, if its connection says so', async () => {
    const server = await startRawServer(() => ({ ...fine, afterMs: 600 }));
    const patience = { firstTokenMs: 200 };
    const longer = server.access(provider, { firstWordSeconds: 10 });
    expect((await runModelTurn('hello', longer, { patience })).result).toMatchObject({ content: PLAIN_TEXT });
    const shorter = server.access(provider, { firstWordSeconds: 0.2 });
    const { result } = await runModelTurn('hello', shorter);
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { code: 'timed_out', message: expect.stringContaining('give it more time') as string },
    });
  });

  it('takes comments in the middle of a reply for signs of life', async () => {
    const middle = Math.floor(pieces.length / 2);
    const alive = { text: comment, everyMs: 100, times: 8 };
    const start = pieces.slice(0, middle).join('');
    const rest = [...pieces.slice(middle), ...end].join('');
    const server = await startRawServer(() => ({ headers, body: rest, alive: { ...alive, first: start } }));
    const { result } = await runModelTurn('hello', server.access(provider), { patience: { idleMs: 400 } });
    expect(result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
  });
});

describe('how long a server asks to wait', () => {
  it.each<[number, string]>([
    [
      5_200,
      'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 5.2s. Visit https://platform.openai.com/account/rate-limits to learn more.',
    ],
    [90_500, 'Please try again in 1m30.5s.'],
    [245, 'Please try again in 245ms.'],
    [20_000, 'Limit 3 / min. Please try again in 20s. Contact us.'],
    [37_127, 'You exceeded your current quota. Please retry in 37.127s.'],
    [20_000, 'Please retry after 20 seconds.'],
    [30_000, 'Too many requests, wait 30 seconds and try again.'],
    [12_000, 'The rate limit resets in 12 seconds.'],
    [60_000, 'Try again in 1 minute.'],
    [21_600_000, 'Please try again in 6h0m0s.'],
  ])('%i ms: %s', (ms, said) => {
    expect(waitIn({}, null, said)).toBe(ms);
  });

  it.each<[number, unknown]>([
    [
      37_000,
      { error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' }] } },
    ],
    [37_000, [{ error: { details: [{ retryDelay: { seconds: 37 } }] } }]],
    [20_500, { error: 'Model x is currently loading', estimated_time: 20.5 }],
    [5_000, { error: { message: 'Slow down', retry_after: 5 } }],
    [1_500, { retry_after_ms: 1_500 }],
    [9_000, { error: { metadata: { headers: { 'X-RateLimit-Reset': '9' } } } }],
  ])('%i ms: %j', (ms, body) => {
    expect(waitIn({}, body, '')).toBe(ms);
  });

  it('in headers, also as a moment', () => {
    expect(waitIn({ 'ratelimit-reset': '9' }, null, '')).toBe(9_000);
    const inAWhile = waitIn({ 'retry-after': String(Math.ceil(Date.now() / 1_000) + 30) }, null, '') ?? 0;
    expect(Math.abs(inAWhile - 30_000)).toBeLessThan(10_000);
  });

  it('nothing, where nothing is said', () => {
    for (const said of ['Please retry later.', 'Limit: 30000 tokens.', 'Try again in a while, at 5 p.m.', ''])
      expect(waitIn({}, null, said)).toBeNull();
    expect(waitIn({ 'retry-after': 'soon' }, { error: null }, '')).toBeNull();
  });
});

describe('a limit of a minute is not an empty account', () => {
  const kindOf = (body: unknown, status = 429): unknown =>
    readFault(
      new APICallError({
        message: 'no',
        url: 'http://127.0.0.1/v1',
        requestBodyValues: {},
        statusCode: status,
        responseHeaders: {},
        responseBody: JSON.stringify(body),
      }),
      redact,
    );
  const google = (quotaId: string): unknown => ({
    error: {
      code: 429,
      message: 'You exceeded your current quota, please check your plan and billing details.',
      status: 'RESOURCE_EXHAUSTED',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' },
      ],
    },
  });

  it.each([
    {
      error: {
        message:
          'Rate limit reached on tokens per minute (TPM): Limit 6000, Used 5000, Requested 2000. Please try again in 10.2s. Need more tokens? Upgrade today at https://console.groq.com/settings/billing',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    google('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
  ])('%j', (body) => {
    expect(kindOf(body)).toMatchObject({ kind: 'busy', canPass: true, waitMs: expect.any(Number) as number });
  });

  it.each([
    google('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        code: 'insufficient_quota',
      },
    },
  ])('but %j is', (body) => {
    expect(kindOf(body)).toMatchObject({ kind: 'used_up', canPass: false });
  });

  it('and a request that alone takes more than a minute allows is too long', () => {
    const message =
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 35000. The input or output tokens must be reduced in order to run successfully.';
    expect(kindOf({ error: { message, code: 'rate_limit_exceeded' } })).toMatchObject({ kind: 'too_long' });
  });
});
