import { expect, it } from 'vitest';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Growth } from '../../../../shared/growth.ts';
import { createKeptRounds } from '../../../../server/routes/openai/kept-rounds.ts';

const grown = (id: string, text = 'Hm.'): Growth => ({
  content: '',
  reasoning: text,
  steps: [{ id, tool: 'find', status: 'running', input: '{}' }],
  rounds: [
    {
      textFrom: 0,
      stepsFrom: 0,
      thoughts: [{ text, signed: { anthropic: { signature: 's' } } }],
      calls: [{ signed: { google: { thoughtSignature: 't' } } }],
    },
  ],
});
const promptWith = (toolCallId: string): LanguageModelV4Prompt => [
  { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'As the program has it.' },
      { type: 'text', text: 'Let me see.' },
      {
        type: 'tool-call',
        toolCallId,
        toolName: 'find',
        input: {},
        providerOptions: { parley: { input: '{}' } },
      },
    ],
  },
];
const SCOPE = { holder: 'key-1', model: 'box/a' };

it('puts thoughts and signatures back where their call returns', () => {
  const kept = createKeptRounds();
  kept.keep(SCOPE, grown('c1'));
  expect(kept.restore(SCOPE, promptWith('c1'))[1]?.content).toEqual([
    { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } },
    { type: 'text', text: 'Let me see.' },
    {
      type: 'tool-call',
      toolCallId: 'c1',
      toolName: 'find',
      input: {},
      providerOptions: { google: { thoughtSignature: 't' }, parley: { input: '{}' } },
    },
  ]);
});

it('puts a thought between the texts where it stood', () => {
  const kept = createKeptRounds();
  const thoughts = [{ text: 'One.' }, { text: 'Two.', textAt: 7 }, { text: 'Late.', textAt: 700 }];
  kept.keep(SCOPE, {
    ...grown('c1'),
    rounds: [
      { textFrom: 0, stepsFrom: 0, calls: [{ signed: { google: { thoughtSignature: 't' } } }], thoughts },
    ],
  });
  const parts = kept.restore(SCOPE, promptWith('c1'))[1]?.content as { text?: string }[];
  expect(parts.map(({ text }) => text)).toEqual(['One.', 'Let me ', 'Two.', 'see.', 'Late.', undefined]);
});

it.each([
  ['another key', { ...SCOPE, holder: 'key-2' }, 'c1'],
  ['another model', { ...SCOPE, model: 'box/b' }, 'c1'],
  ['another call', SCOPE, 'c2'],
])('gives nothing to %s', (_who, scope, id) => {
  const kept = createKeptRounds();
  kept.keep(SCOPE, grown('c1'));
  expect(kept.restore(scope, promptWith(id))).toEqual(promptWith(id));
});

it('keeps the latest, and none that is huge', () => {
  const kept = createKeptRounds();
  for (let count = 0; count <= 200; count += 1) kept.keep(SCOPE, grown(`c${count}`));
  kept.keep(SCOPE, grown('huge', 'x'.repeat(300_000)));
  const isKept = (id: string): boolean => JSON.stringify(kept.restore(SCOPE, promptWith(id))).includes('Hm.');
  expect(['c0', 'c1', 'c200', 'huge'].map(isKept)).toEqual([false, true, true, false]);
});
