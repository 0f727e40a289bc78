import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundOutput, MAX_OUTPUT_CHARACTERS } from '../../../server/tools/bound-output.ts';

describe('a bounded output', () => {
  it('is what JSON keeps of it when it fits', () => {
    const output = { at: new Date(0), gone: undefined, list: [1, 'two', null] };
    expect(boundOutput(output)).toEqual({ at: '1970-01-01T00:00:00.000Z', list: [1, 'two', null] });
    expect(boundOutput(undefined)).toBeNull();
  });

  it('lets work on the longest message pass whole', () => {
    const text = '😀'.repeat(100_000);
    expect(boundOutput({ text })).toEqual({ text });
  });

  it('keeps its shape and says that it was cut', () => {
    const output = { title: 'log', lines: Array.from({ length: 100_000 }, (_, index) => `line ${index}`) };
    expect(boundOutput(output)).toMatchObject({
      title: 'log',
      lines: output.lines.slice(0, 4_096),
      truncated: expect.stringContaining('Cut short') as unknown,
    });
  });

  it('has nothing but a preview when its shape itself is too large', () => {
    const output = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key ${index}`, index]));
    expect(Object.keys(boundOutput(output) as object)).toEqual(['truncated', 'preview']);
  });

  it('never exceeds the limit', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 400 }), (value, times) => {
        const output = { all: Array.from({ length: times }, () => value) };
        expect(JSON.stringify(boundOutput(output, 2_000)).length).toBeLessThanOrEqual(2_000);
        const list = boundOutput(output.all, 2_000);
        expect(JSON.stringify(list).length).toBeLessThanOrEqual(2_000);
      }),
    );
    expect(JSON.stringify(boundOutput('"'.repeat(1_000_000))).length).toBeLessThan(MAX_OUTPUT_CHARACTERS);
  });
});
