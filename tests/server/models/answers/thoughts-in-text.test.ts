/** Reasoning that stands in a model's text. */
import { describe, expect, it } from 'vitest';
import { runModelTurn } from '../../../support/model-servers/model-turn.ts';
import { WIRES } from '../../../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../../../support/model-servers/provider-wires.ts';
import { startRawServer } from '../../../support/model-servers/raw-server.ts';
import type { Asked } from '../../../support/model-servers/wire.ts';
import { applyUpdate, NO_GROWTH, type Growth } from '../../../../shared/growth.ts';

const ASKED: Asked = { model: 'fake-model', stream: true, messages: [], tools: [], toolResults: [] };

/** In pieces of one, of three, and of all characters. */
const cuts = (text: string): string[][] => [
  text.match(/[\s\S]/g) ?? [],
  text.match(/[\s\S]{1,3}/g) ?? [],
  [text],
];

type Case = [text: string, reasoning: string, content: string];
const CASES: Case[] = [
  ['<think>They greet me.</think>Hello.', 'They greet me.', 'Hello.'],
  ['<think>\nThey greet me.\n</think>\n\nHello.', '\nThey greet me.', 'Hello.'],
  ['\n\n<think>They greet me.</think>\n\nHello <b>there</b>.', 'They greet me.', 'Hello <b>there</b>.'],
  ['<think>\n\n</think>\n\nHello.', '\n\n', 'Hello.'],
  ['<think></think>Hello.', '', 'Hello.'],
  ['<thinking>They greet me.</thinking>Hello.', 'They greet me.', 'Hello.'],
  ['<thought>They greet me.</thought>Hello.', 'They greet me.', 'Hello.'],
  ['<reasoning>They greet me.</reasoning>Hello.', 'They greet me.', 'Hello.'],
  ['[THINK]They greet me.[/THINK]Hello.', 'They greet me.', 'Hello.'],
  ['<seed:think>They greet me.</seed:think>Hello.', 'They greet me.', 'Hello.'],
  ['◁think▷They greet me.◁/think▷Hello.', 'They greet me.', 'Hello.'],
  ['They greet me.◁/think▷Hello.', 'They greet me.', 'Hello.'],
  [
    '<|START_THINKING|>They greet me.<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>',
    'They greet me.',
    'Hello.',
  ],
  ['<|inner_prefix|>They greet me.<|inner_suffix|>Hello.', 'They greet me.', 'Hello.'],
  ['<|begin_of_thought|>They greet me.<|end_of_thought|>\n\nHello.', 'They greet me.', 'Hello.'],
  [
    '<|channel|>analysis<|message|>They greet me.<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>',
    'They greet me.',
    'Hello.',
  ],
  [
    '<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>commentary<|message|>Two.<|end|>' +
      '<|start|>assistant<|channel|>final<|message|>Hello <|x|>.',
    'One.\n\nTwo.',
    'Hello <|x|>.',
  ],
  ['<|channel|>final<|message|>Hello.', '', 'Hello.'],
  ['<|channel>thought\nThey greet me.\n<channel|>Hello.', '\nThey greet me.', 'Hello.'],
  ['Hello.<|end|>', '', 'Hello.<|end|>'],
  [
    'Harmony writes `<|channel|>analysis<|message|>`.',
    '',
    'Harmony writes `<|channel|>analysis<|message|>`.',
  ],
  ['<think>One.</think>\n<think>Two.</think>Hello.', 'One.\n\nTwo.', 'Hello.'],
  ['<think>1 < 2 and </b> </thin</think>Hello.', '1 < 2 and </b> </thin', 'Hello.'],
  // The template wrote the first mark.
  ['They greet me.\n</think>\n\nHello.', 'They greet me.', 'Hello.'],
  ['They greet me.</think>Hello.', 'They greet me.', 'Hello.'],
  [
    'Is 1 < 2? `a` it is.\n\n```\ncode\n```\n</think>Hello.',
    'Is 1 < 2? `a` it is.\n\n```\ncode\n```',
    'Hello.',
  ],
  ['</think>\n\nHello.', '', 'Hello.'],
  ['They greet me.[/THINK]Hello.', 'They greet me.', 'Hello.'],
  // Text about such marks.
  ['Use `<think>` and `</think>` for that.', '', 'Use `<think>` and `</think>` for that.'],
  ['```\n<think>no</think>\n```\nDone.', '', '```\n<think>no</think>\n```\nDone.'],
  ['The mark </think> ends it, “</think>” too.', '', 'The mark </think> ends it, “</think>” too.'],
  ['<thinker> and <b> are names.', '', '<thinker> and <b> are names.'],
  ['A text that ends with <', '', 'A text that ends with <'],
  ['  Indented.', '', '  Indented.'],
  ['<thi', '', '<thi'],
];

describe.each(PROVIDER_WIRES)('%s', (provider, name) => {
  const wire = WIRES[name];
  const isSilent = name === 'google' || name === 'anthropic';

  // What stands in the text is the same for all; two providers that send their reasoning apart get a part of the cases.
  it.each(isSilent ? CASES.slice(0, 3) : CASES)('%j', async (text, reasoning, content) => {
    for (const pieces of cuts(text)) {
      const answer = wire.pieces(ASKED, { kind: 'answer', text: pieces });
      const body = [...answer.pieces, ...answer.end].join('');
      const server = await startRawServer(() => ({ body, headers: { 'content-type': wire.contentType } }));
      const { result, ports } = await runModelTurn('hello', server.access(provider));
      expect(result).toMatchObject({ outcome: 'replied', content });
      expect(result.reasoning.trim()).toBe(reasoning.trim());
      // Whoever follows the reply ends up with the same.
      const followed = ports.updates.reduce<Growth>(applyUpdate, NO_GROWTH);
      expect(followed).toMatchObject({ content, reasoning: result.reasoning });
    }
  });

  it('keeps what was thought when the answer never comes', async () => {
    const answer = wire.pieces(ASKED, { kind: 'answer', text: ['<think>They ', 'greet me.'], isCut: true });
    const body = [...answer.pieces, ...answer.end].join('');
    const server = await startRawServer(() => ({ body, headers: { 'content-type': wire.contentType } }));
    const { result } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'failed', content: '', reasoning: 'They greet me.' });
    expect(result.outcome === 'failed' && result.error.message).toContain('reached its length limit');
  });
});
