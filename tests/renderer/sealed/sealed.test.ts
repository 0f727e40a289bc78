import { describe, expect, it } from 'vitest';
import { readReport, sealedKindOf } from '../../../renderer/sealed/sealed.ts';

describe('what can be shown in a sealed frame', () => {
  it('is told by the language of its block', () => {
    expect(['mermaid', 'html', 'svg', 'ts', '', 'constructor'].map(sealedKindOf)).toEqual([
      'mermaid',
      'html',
      'svg',
      null,
      null,
      null,
    ]);
  });
});

describe('the answer of a sealed frame', () => {
  it('is taken for what it says', () => {
    expect(readReport({ type: 'shown', height: 12 })).toEqual({ type: 'shown', height: 12 });
    expect(readReport({ type: 'shown', height: null })).toEqual({ type: 'shown', height: null });
    expect(readReport({ type: 'failed', reason: ' No such arrow. ' })).toEqual({
      type: 'failed',
      reason: 'No such arrow.',
    });
  });

  it('is bounded and checked, since hostile text was drawn where it comes from', () => {
    for (const data of [null, 'shown', {}, { type: 'other' }, []]) expect(readReport(data)).toBeNull();
    for (const height of ['1e9px', -1, 0, Number.NaN, {}]) {
      expect(readReport({ type: 'shown', height })).toEqual({ type: 'shown', height: null });
    }
    expect(readReport({ type: 'failed', reason: { toString: 1 } })).toEqual({ type: 'failed', reason: '' });
    const long = readReport({ type: 'failed', reason: 'x'.repeat(1e6) });
    expect(long?.type === 'failed' && long.reason.length).toBe(600);
  });
});
