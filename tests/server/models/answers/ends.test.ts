/** The end of a reply is what the server says, not what its connection does. */
import { describe, expect, it } from 'vitest';
import type { Provider } from '../../../../shared/providers.ts';
import { runModelTurn } from '../../../support/model-servers/model-turn.ts';
import { WIRES, type WireName } from '../../../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../../../support/model-servers/provider-wires.ts';
import { startRawServer, type RawAnswer } from '../../../support/model-servers/raw-server.ts';
import { PLAIN_TEXT, tokens } from '../../../support/model-servers/scenarios.ts';
import type { Answer, Asked, Wire } from '../../../support/model-servers/wire.ts';
import type { TurnResult } from '../../../../server/agents/turn.ts';

const ASKED: Asked = { model: 'fake-model', stream: true, messages: [], tools: [], toolResults: [] };
const PLAIN: Answer = { kind: 'answer', text: tokens(PLAIN_TEXT) };
const CALL = { name: 'calculate', args: '{"expression":"6*7"}' };
const KINDS: [WireName, title: string][] = [
  ['openai', 'OpenAI-compatible'],
  ['anthropic', 'Anthropic'],
  ['google', 'Google'],
  ['ollama', 'Ollama'],
];
const REASON = /"(?:finish_reason|stop_reason|finishReason|done_reason)":"[^"]*"/;

async function resultOf(
  provider: Provider,
  answer: RawAnswer,
): Promise<{ result: TurnResult; asked: number }> {
  const { contentType } = WIRES[Object.fromEntries(PROVIDER_WIRES)[provider] as WireName];
  const headers = { 'content-type': contentType, ...answer.headers };
  const server = await startRawServer(() => ({ ...answer, headers }));
  // No test here may wait for a silence.
  const patience = { idleMs: 60_000, firstTokenMs: 60_000 };
  const { result } = await runModelTurn('hello', server.access(provider), { patience });
  return { result, asked: server.bodies.length };
}

describe.each(PROVIDER_WIRES)('%s', (provider, name) => {
  const wire: Wire = WIRES[name];
  const { pieces, end } = wire.pieces(ASKED, PLAIN);
  const ended = { outcome: 'replied', content: PLAIN_TEXT, stopReason: 'end' };
  /** The event with the reason, without what may follow it. */
  const reasonAt = end.findIndex((event) => REASON.test(event));
  const without = end.map((event) => event.replace(REASON, '"unknown":null'));

  it('is over when its server says so, though the connection stays open', async () => {
    const { result } = await resultOf(provider, { body: [...pieces, ...end].join(''), then: 'open' });
    expect(result).toMatchObject(ended);
    expect(result.outcome === 'replied' && result.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
  });

  it('is over after its reason, though nothing follows that', async () => {
    const body = [...pieces, ...end.slice(0, reasonAt + 1)].join('');
    expect((await resultOf(provider, { body, then: 'open' })).result).toMatchObject(ended);
    expect((await resultOf(provider, { body, then: 'end' })).result).toMatchObject(ended);
    expect((await resultOf(provider, { body, then: 'break' })).result).toMatchObject(ended);
  });

  // Google's format has no other word for the end.
  if (name !== 'google') {
    it('is over without a reason, if its server says that it is', async () => {
      const body = [...pieces, ...without].join('');
      expect((await resultOf(provider, { body, then: 'open' })).result).toMatchObject(ended);
      expect((await resultOf(provider, { body })).result).toMatchObject(ended);
    });
  }

  it('is over without a reason, whatever is said before the end', async () => {
    if (name === 'google') return;
    const done = { type: 'done', message: 'completed' };
    const odd = wire.contentType.includes('ndjson')
      ? `${JSON.stringify(done)}\n`
      : `data: ${JSON.stringify(done)}\n\n`;
    expect((await resultOf(provider, { body: [...pieces, odd, ...without].join('') })).result).toMatchObject(
      ended,
    );
  });

  it('broke off if its server never says that it is over', async () => {
    const { result } = await resultOf(provider, { body: pieces.join('') });
    expect(result).toMatchObject({
      outcome: 'failed',
      content: PLAIN_TEXT,
      error: { code: 'model_unreachable' },
    });
  });

  it.each(['application/json', 'text/event-stream', 'text/plain'])(
    'reads one JSON in place of a stream, as %s',
    async (type) => {
      const headers = { 'content-type': type };
      for (const indent of [0, 2]) {
        const body = JSON.stringify(wire.whole(ASKED, PLAIN), null, indent);
        const { result, asked } = await resultOf(provider, { body, headers });
        expect(result).toMatchObject(ended);
        expect(result.outcome === 'replied' && result.usage).toMatchObject({
          inputTokens: 11,
          outputTokens: 7,
        });
        expect(asked).toBe(1);
      }
    },
  );

  it('is over though comments go on after its end', async () => {
    const comment = wire.contentType.includes('ndjson') ? '\n' : ': still here\n\n';
    const body = [
      ...pieces,
      ...end.slice(0, reasonAt + 1),
      ...Array.from({ length: 20 }, () => comment),
    ].join('');
    const alive = { first: body, text: comment, everyMs: 100, times: 80 };
    const { result } = await resultOf(provider, { body: '', alive, then: 'open' });
    expect(result).toMatchObject(ended);
  });

  it.each([
    ['It works!', 'It works!'],
    ['[hotel] Please\nlog in.', '[hotel] Please log in'],
    ['<!DOCTYPE html>\n<html><head>\n<title>Hotel guests</title></head>', 'Hotel guests'],
  ])('can’t be read, and is quoted and asked for once, if it is a text: %j', async (body, quoted) => {
    const headers = { 'content-type': 'text/plain' };
    const { result, asked } = await resultOf(provider, { body, headers });
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_failed' } });
    expect(result.outcome === 'failed' && result.error.message).toContain(`(“${quoted}”)`);
    expect(asked).toBe(1);
  });

  it('broke off if it ends inside an event, and is asked for again if that was its first', async () => {
    const cut = (text: string): string => text.slice(0, text.trimEnd().length - 3);
    const code = 'model_unreachable';
    const midway = await resultOf(provider, { body: cut(pieces.join('')) });
    expect(midway).toMatchObject({ asked: 1, result: { outcome: 'failed', error: { code } } });
    const atOnce = await resultOf(provider, { body: cut(pieces[0] ?? '') });
    expect(atOnce).toMatchObject({ asked: 3, result: { outcome: 'failed', error: { code } } });
  });

  it('makes no call if it broke off, however whole the call is', async () => {
    const { pieces: calling } = wire.pieces(ASKED, { kind: 'answer', calls: [CALL] });
    const { result, asked } = await resultOf(provider, { body: calling.join('') });
    expect(result).toMatchObject({ outcome: 'failed', steps: [], error: { code: 'model_unreachable' } });
    expect(asked).toBe(1);
  });

  it('that is like one of another kind of server is reported with that kind', async () => {
    const isOwn = (other: WireName): boolean =>
      [name, other].every((one) => ['openai', 'mistral', 'azure'].includes(one)) || name === other;
    for (const [other, title] of KINDS) {
      const { pieces, end } = WIRES[other].pieces(ASKED, PLAIN);
      const whole = JSON.stringify(WIRES[other].whole(ASKED, PLAIN));
      for (const body of isOwn(other) ? [] : [[...pieces, ...end].join(''), whole]) {
        const { result, asked } = await resultOf(provider, { body });
        expect(result.outcome === 'failed' && result.error.message).toContain(
          `another kind of server: ${title}`,
        );
        expect(asked).toBe(1);
      }
    }
  });

  it('says what a JSON without an answer says', async () => {
    for (const json of [
      { error: { message: 'Out of coffee.' } },
      { message: 'Out of coffee.' },
      { detail: [{ loc: ['body'], msg: 'Out of coffee.' }] },
      { code: 5, msg: 'Out of coffee.' },
    ]) {
      const headers = { 'content-type': 'application/json' };
      const { result } = await resultOf(provider, { body: JSON.stringify(json), headers });
      expect(result).toMatchObject({ outcome: 'failed' });
      expect(result.outcome === 'failed' && result.error.message).toContain('Out of coffee');
    }
  });
});

type Meaning = 'end' | 'length' | 'content_filter' | 'broken';
const CHAT_REASONS: [string, Meaning][] = [
  ['stop', 'end'],
  ['eos', 'end'],
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['COMPLETE', 'end'],
  ['something_new', 'end'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['MAX_TOKENS', 'length'],
  ['model_length', 'length'],
  ['max_output_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['incomplete', 'length'],
  ['content_filter', 'content_filter'],
  ['safety', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['refusal', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['error', 'broken'],
  ['abort', 'broken'],
  ['cancelled', 'broken'],
  ['timeout', 'broken'],
  ['network_error', 'broken'],
  ['insufficient_system_resource', 'broken'],
];
const REASONS: Record<WireName, [string, Meaning][]> = {
  openai: CHAT_REASONS,
  azure: CHAT_REASONS,
  mistral: CHAT_REASONS,
  ollama: CHAT_REASONS,
  anthropic: [
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['error', 'broken'],
    ['something_new', 'end'],
  ],
  google: [
    ['STOP', 'end'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['LANGUAGE', 'content_filter'],
    ['MALFORMED_FUNCTION_CALL', 'broken'],
    ['OTHER', 'broken'],
    ['SOMETHING_NEW', 'end'],
  ],
};

describe.each(PROVIDER_WIRES)('%s', (provider, name) => {
  it.each(REASONS[name])('“%s” is: %s', async (word, meaning) => {
    const { pieces, end } = WIRES[name].pieces(ASKED, PLAIN);
    const body = [...pieces, ...end]
      .join('')
      .replace(new RegExp(REASON, 'g'), (field) => field.replace(/:"[^"]*"/, `:"${word}"`));
    const { result } = await resultOf(provider, { body });
    expect(result.content).toBe(PLAIN_TEXT);
    if (meaning !== 'broken') expect(result).toMatchObject({ outcome: 'replied', stopReason: meaning });
    else {
      expect(result).toMatchObject({ outcome: 'failed' });
      expect(result.outcome === 'failed' && result.error.message).toContain(word);
    }
  });
});

const CHAT_WIRES = PROVIDER_WIRES.filter(([, name]) => ['openai', 'mistral', 'azure'].includes(name));

describe.each(CHAT_WIRES)('%s', (provider, name) => {
  const { pieces } = WIRES[name].pieces(ASKED, PLAIN);

  it('is over with [DONE], whatever follows', async () => {
    const more = 'data: {"choices":[{"delta":{"content":" and more"}}]}\n\n';
    const { result } = await resultOf(provider, { body: `${pieces.join('')}data: [DONE]\n\n${more}` });
    expect(result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
  });

  it.each([
    { delta: { content: { type: 'text', text: 'Done.' } } },
    { text: 'Done.' },
    { delta: { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }], content: 'Done.' } },
    { delta: { reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm.' }], content: 'Done.' } },
    { delta: { reasoning_text: 'Hm.', content: 'Done.' } },
  ])('reads the text of %j', async (choice) => {
    const { result } = await resultOf(provider, {
      body: `data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`,
    });
    expect(result).toMatchObject({ outcome: 'replied', content: 'Done.' });
    if (JSON.stringify(choice).includes('reasoning')) expect(result.reasoning).toBe('Hm.');
  });

  it('reads all pieces of a text completion, and counts only what is a count', async () => {
    const pieces = [
      { text: 'Do' },
      { text: 'ne', finish_reason: null },
      { text: '.', finish_reason: 'stop' },
    ];
    const usage = { prompt_tokens: -1, completion_tokens: 7.5 };
    const events = pieces.map((choice) => `data: ${JSON.stringify({ choices: [choice], usage })}\n\n`);
    const { result } = await resultOf(provider, { body: `${events.join('')}data: [DONE]\n\n` });
    expect(result).toMatchObject({ outcome: 'replied', content: 'Done.' });
    expect(result.usage).not.toMatchObject({ inputTokens: expect.anything() as number });
  });

  it('says so where nothing of an answer can be read', async () => {
    const body = 'data: {"wrapped":{"choices":[]}}\n\ndata: [DONE]\n\n';
    const { result } = await resultOf(provider, { body });
    expect(result.outcome === 'failed' && result.error.message).toContain(
      'sent something that can’t be read',
    );
  });
  const error = { code: 502, message: 'The provider lost its way.' };

  it.each([
    { index: 0, delta: { content: '' }, finish_reason: 'error', error },
    { index: 0, delta: { content: '', error } },
    { index: 0, message: { content: '' }, error, finish_reason: null },
  ])('reports the error inside a choice: %j', async (choice) => {
    const body = `${pieces.join('')}data: ${JSON.stringify({ id: 'x', choices: [choice] })}\n\ndata: [DONE]\n\n`;
    const { result } = await resultOf(provider, { body });
    expect(result).toMatchObject({ outcome: 'failed', content: PLAIN_TEXT });
    expect(result.outcome === 'failed' && result.error.message).toContain('The provider lost its way');
  });

  it.each([
    'event: error\ndata: {"code":500,"message":"The provider lost its way."}\n\n',
    'event: error\ndata: The provider lost its way.\n\n',
    'data: {"object":"error","message":"The provider lost its way.","code":40303}\n\n',
    'data: {"type":"error","message":"The provider lost its way."}\n\n',
    'data: {"choices":null,"base_resp":{"status_code":1004,"status_msg":"The provider lost its way."}}\n\n',
    'error: {"message":"The provider lost its way."}\n\n',
    'data: Error: The provider lost its way.\n\n',
  ])('reports %j', async (event) => {
    const { result } = await resultOf(provider, { body: `${pieces.join('')}${event}` });
    expect(result).toMatchObject({ outcome: 'failed', content: PLAIN_TEXT });
    expect(result.outcome === 'failed' && result.error.message).toContain('The provider lost its way');
  });
});
