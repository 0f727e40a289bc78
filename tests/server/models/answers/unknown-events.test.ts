/** Answers that hold more than their format does: whatever isn't known changes nothing. */
import { describe, expect, it } from 'vitest';
import { runModelTurn } from '../../../support/model-servers/model-turn.ts';
import { WIRES } from '../../../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../../../support/model-servers/provider-wires.ts';
import { startRawServer } from '../../../support/model-servers/raw-server.ts';
import { PLAIN_TEXT, tokens } from '../../../support/model-servers/scenarios.ts';
import type { Answer, Asked, Wire } from '../../../support/model-servers/wire.ts';

const ASKED: Asked = { model: 'fake-model', stream: true, messages: [], tools: [], toolResults: [] };
const TEXT = `${PLAIN_TEXT} Ünïcödé 👋`;
const PLAIN: Answer = { kind: 'answer', text: tokens(TEXT) };

const sent = (wire: Wire, answer: Answer = PLAIN): string[] => {
  const { pieces, end } = wire.pieces(ASKED, answer);
  return [...pieces, ...end];
};
const isLines = ({ contentType }: Wire): boolean => contentType.includes('ndjson');

/** What servers send between their events. */
const BETWEEN_EVENTS = [
  ': keep-alive\n\n',
  ':\n\n',
  'event: heartbeat\ndata: {"at":1}\n\n',
  'event: ping\n\n',
  'event: usage.update\ndata: {"usage":{"credits":"few"}}\n\n',
  'data:\n\n',
  'data: \n\n',
  'data: {}\n\n',
  'data: []\n\n',
  'data: null\n\n',
  'data: 17\n\n',
  'data: "ping"\n\n',
  'data: ping\n\n',
  'id: 5\nretry: 1000\n\n',
  'data: {"type":"ping"}\n\n',
  'data: {"type":"brand_new_event","index":0,"payload":[1,{"text":"not yours"}]}\n\n',
  'data: {"type":"content_block_start","index":90,"content_block":{"type":"brand_new","text":"not yours"}}\n\n' +
    'data: {"type":"content_block_delta","index":90,"delta":{"type":"text_delta","text":"not yours"}}\n\n' +
    'data: {"type":"content_block_stop","index":90}\n\n',
  'data: {"type":"content_block_delta","index":0,"delta":{"type":"brand_new_delta","text":"not yours"}}\n\n',
  'data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}]}\n\n',
  'data: {"choices":null,"usage":{"prompt_tokens":"many"}}\n\n',
  'data: {"candidates":null}\n\n',
  'data: {"error":null}\n\n',
  'data: {"error":{}}\n\n',
  'data: {"error":""}\n\n',
  'data: {"error":false}\n\n',
];
const BETWEEN_LINES = [
  '\n',
  '{}\n',
  'null\n',
  '[]\n',
  '{"status":"loading model"}\n',
  '{"error":null}\n',
  '{"error":""}\n',
  '{"model":"fake-model","progress":0.5,"done":false}\n',
];

/** The same event with odd ids, nulls and fields that nobody knows. */
const changed = (text: string): string =>
  text.replace(/^(data: )?(\{.*)$/gm, (_, field: string | undefined, json: string) => {
    const event = JSON.parse(json) as object;
    return `${field ?? ''}${JSON.stringify({
      ...event,
      ...('id' in event && { id: 12_345 }),
      error: null,
      created: '2026-01-01',
      responseId: 17,
      obfuscation: 'xyz',
      metrics: [{ a: null }],
    })}`;
  });

describe.each(PROVIDER_WIRES)('%s', (provider, name) => {
  const wire: Wire = WIRES[name];

  async function contentOf(body: string): Promise<unknown> {
    const server = await startRawServer(() => ({ body, headers: { 'content-type': wire.contentType } }));
    const { result } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'replied', stopReason: 'end' });
    expect(server.bodies).toHaveLength(1);
    return result.content;
  }

  it.each(isLines(wire) ? BETWEEN_LINES : BETWEEN_EVENTS)('ignores %j', async (odd) => {
    expect(await contentOf(odd + sent(wire).join(odd) + odd)).toBe(TEXT);
  });

  it('ignores fields that it doesn’t know, ids that are numbers, and errors that are null', async () => {
    expect(await contentOf(sent(wire).map(changed).join(''))).toBe(TEXT);
  });

  it('reads events without blank lines in between, and with other line ends', async () => {
    const text = sent(wire).join('').replaceAll('\r\n', '\n');
    expect(await contentOf(text.replaceAll('\n\n', '\n'))).toBe(TEXT);
    expect(await contentOf(text.replaceAll('\n', '\r\n'))).toBe(TEXT);
    expect(await contentOf(text.replaceAll('data: ', 'data:'))).toBe(TEXT);
    expect(await contentOf(text.replaceAll('data: ', 'data: data: '))).toBe(TEXT);
    expect(await contentOf(text.trimEnd())).toBe(TEXT);
  });

  it('reads an answer whatever it calls its type', async () => {
    for (const type of ['application/json', 'text/plain', 'text/html; charset=utf-8', 'odd', '']) {
      const server = await startRawServer(() => ({
        body: sent(wire).join(''),
        headers: { 'content-type': type },
      }));
      expect((await runModelTurn('hello', server.access(provider))).result.content).toBe(TEXT);
    }
  });

  it('still says so when a part of the text can’t be read', async () => {
    const [first = '', ...rest] = sent(wire);
    const body = first + wire.malformed + rest.join('');
    const server = await startRawServer(() => ({ body, headers: { 'content-type': wire.contentType } }));
    const { result } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_failed' } });
  });
});

const CHAT_WIRES = PROVIDER_WIRES.filter(([, name]) => ['openai', 'mistral', 'azure'].includes(name));

describe.each(CHAT_WIRES)('%s', (provider, name) => {
  it.each([
    'data: [DONE] \n\n',
    'data:[DONE]\n\n',
    'data: [DONE]',
    'data: [done]\n\n',
    'event: done\ndata: [DONE]\n\n',
    '[DONE]\n',
  ])('ends with %j', async (done) => {
    const body = sent(WIRES[name]).slice(0, -1).join('') + done;
    const server = await startRawServer(() => ({ body }));
    const { result } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'replied', content: TEXT });
  });

  it.each([
    { id: 1, choices: [{ index: '0', delta: { role: 'model', content: 'Hi' }, finish_reason: '' }] },
    {
      choices: [
        {
          delta: {
            role: '',
            content: [
              { type: 'text', text: 'Hi' },
              { type: 'new', x: 1 },
            ],
          },
        },
      ],
    },
    { object: 'x', created: null, model: null, choices: [{ delta: { content: 'Hi', tool_calls: null } }] },
    { choices: [{ index: 0, delta: { content: 'Hi', tool_calls: [], refusal: false, annotations: {} } }] },
    { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, logprobs: 'none' }] },
    { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null, error: null }], usage: null },
    { choices: [{ index: 0, delta: { content: 'Hi' } }], usage: { prompt_tokens: null, total: 'few' } },
  ])('reads %j', async (event) => {
    const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const body = [event, end].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
    const server = await startRawServer(() => ({ body }));
    const { result } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'replied', content: 'Hi' });
  });
});
