/** However much a model writes, a reply ends. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_REPLY_CHARACTERS } from '../../../../shared/limits.ts';
import { createReply } from '../../../../server/turns/thread/reply.ts';
import { runTurn } from '../../../../server/turns/thread/run-turn.ts';
import { createToolKit } from '../../../../server/turns/thread/tool-kit.ts';
import { startModelServer } from '../../../support/model-servers/model-server.ts';
import { accessTo, runModelTurn } from '../../../support/model-servers/model-turn.ts';
import { createScriptedModel, scriptOf } from '../../../support/scripted-model.ts';
import { recordedPorts, turnRequest } from '../../../support/turns.ts';

describe('a reply', () => {
  it('of exactly the most characters is whole', () => {
    const reply = createReply(() => undefined);
    reply.addText('x'.repeat(MAX_REPLY_CHARACTERS));
    expect([reply.growth.content.length, reply.isFull]).toEqual([MAX_REPLY_CHARACTERS, false]);
    reply.addText('y');
    expect([reply.growth.content.length, reply.isFull]).toEqual([MAX_REPLY_CHARACTERS, true]);
  });

  it('is never cut within a character', () => {
    let reported = '';
    const reply = createReply(({ text }) => (reported += text));
    reply.addText(`${'x'.repeat(MAX_REPLY_CHARACTERS - 1)}😀 and more`);
    expect(reply.growth.content).toBe('x'.repeat(MAX_REPLY_CHARACTERS - 1));
    expect(reported).toBe(reply.growth.content);
    expect(reply.isFull).toBe(true);
  });
});

/** Google and Ollama send arguments whole, and OpenAI itself tells no thoughts. */
const FLOODS = [
  ['openai_compatible', 'openai', ['floods', 'floods-thoughts', 'floods-arguments']],
  ['openai', 'openai', ['floods', 'floods-arguments']],
  ['ollama', 'ollama', ['floods', 'floods-thoughts']],
  ['anthropic', 'anthropic', ['floods', 'floods-thoughts', 'floods-arguments']],
  ['google', 'google', ['floods', 'floods-thoughts']],
] as const;

describe.each(FLOODS)('a model that never comes to an end (%s)', (provider, wire, scenarios) => {
  it.each(scenarios)('%s: is ended on the wire, and what it wrote is kept', async (scenario) => {
    const server = await startModelServer(wire, { scenario });
    onTestFinished(() => server.close());
    const patience = { firstTokenMs: 60_000, idleMs: 60_000 };
    const { result } = await runModelTurn('hello', accessTo(server, provider), { patience });
    await server.asked()[0]?.clientClosed;
    if (scenario === 'floods') {
      expect(result).toMatchObject({ outcome: 'replied', stopReason: 'length' });
      expect(result.content).toHaveLength(MAX_REPLY_CHARACTERS);
    } else {
      const message = expect.stringContaining('length limit before it wrote anything') as string;
      expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_failed', message } });
    }
  });
});

describe('the built-in models', () => {
  it('are cut as well', async () => {
    const ports = recordedPorts();
    const script = scriptOf([
      { say: 'x'.repeat(1_500_000) },
      { say: 'y'.repeat(1_500_000) },
      { stall: true },
    ]);
    const result = await runTurn(turnRequest(script), ports, {
      createModel: () => createScriptedModel(),
      tools: createToolKit([]),
    });
    expect(result).toMatchObject({ outcome: 'replied', stopReason: 'length' });
    expect(result.content).toHaveLength(MAX_REPLY_CHARACTERS);
    expect(ports.text).toBe(result.content);
  });
});
