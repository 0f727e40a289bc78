import { expect, it } from 'vitest';
import { readTexts, toTexts, type ParameterField } from '../../../renderer/models/parameter-form.ts';

const read = (texts: Partial<Record<ParameterField, string>>) => readTexts({ ...toTexts(), ...texts });

it('reads what is filled in, as people write it, and leaves out what is empty', () => {
  expect(read({ temperature: ' 0,7 ', topP: '.5', maxOutputTokens: '2,000', reasoning: 'low' })).toEqual({
    parameters: { temperature: 0.7, topP: 0.5, maxOutputTokens: 2000, reasoning: 'low' },
    faults: {},
  });
  expect(read({ stopSequences: 'END\n\nEND\r\n  two words ', instructions: ' ' })).toEqual({
    parameters: { stopSequences: ['END', '  two words '] },
    faults: {},
  });
  expect(read({ temperature: '  ' })).toEqual({ parameters: {}, faults: {} });
});

it('gives back what it was given', () => {
  const all = {
    instructions: 'Be brief.',
    temperature: 0,
    topP: 1,
    maxOutputTokens: 1,
    stopSequences: ['a', 'b'],
    reasoning: 'none' as const,
  };
  expect(readTexts(toTexts(all))).toEqual({ parameters: all, faults: {} });
});

it.each<[ParameterField, string]>([
  ['temperature', '2.1'],
  ['temperature', '-1'],
  ['temperature', 'hot'],
  ['temperature', '1e0'],
  ['topP', '0'],
  ['topP', '1.01'],
  ['maxOutputTokens', '0'],
  ['maxOutputTokens', '1.5'],
  ['maxOutputTokens', '1000001'],
  ['maxOutputTokens', 'many'],
  ['stopSequences', 'a\nb\nc\nd\ne'],
  ['stopSequences', 'x'.repeat(101)],
])('says what is wrong with %s %j', (field, text) => {
  const { parameters, faults } = read({ [field]: text });
  expect(Object.keys(faults)).toEqual([field]);
  expect(parameters).toEqual({});
});
