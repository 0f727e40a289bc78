import { describe, expect, it } from 'vitest';
import { createReply } from '../../../server/turns/thread/reply.ts';
import { finalReply } from '../../../server/turns/final-reply.ts';
import { MAX_STEP_DEPTH, boundDepth, storableUsage } from '../../../server/store/storable-reply.ts';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const depthOf = (value: unknown): number => (JSON.stringify(value).match(/^\[+/)?.[0] ?? '').length;

describe('what a tool call was given and gave', () => {
  it('is kept as it is up to a depth, and cut below it', () => {
    const bearable = nested(MAX_STEP_DEPTH);
    expect(boundDepth(bearable)).toBe(bearable);
    expect(boundDepth({ a: { b: { c: 1 } } }, 2)).toEqual({ a: { b: '…' } });
    expect(boundDepth([[[]], 'text', null, 5], 2)).toEqual([['…'], 'text', null, 5]);
    expect(depthOf(boundDepth(nested(1_200)))).toBe(MAX_STEP_DEPTH);
  });

  it('is cut in the steps of a reply, the moment they are told', () => {
    const reported: unknown[] = [];
    const reply = createReply(({ steps }) =>
      reported.push(...(steps ?? []).flatMap(({ input, output }) => [input, output])),
    );
    reply.beginStep('1', 'tool', nested(1_200));
    reply.endStep('1', { output: nested(1_200) });
    expect(reported.filter((each) => each !== undefined).map(depthOf)).toEqual([500, 500, 500]);
    expect(reply.growth.steps[0]?.output).toBeDefined();
  });
});

describe('the tokens that a server tells', () => {
  it('are kept as whole numbers, and left out where they are none', () => {
    const model = 'kept';
    expect(storableUsage({ inputTokens: 2.6, outputTokens: -1, contextTokens: Infinity, model })).toEqual({
      inputTokens: 3,
      model,
    });
  });

  it('are so in every reply, made or failed', () => {
    const usage = { inputTokens: 1.4, outputTokens: NaN };
    const written = { content: '', reasoning: '', steps: [], usage };
    const made = finalReply({ ...written, outcome: 'replied', stopReason: 'end' });
    const error = { code: 'model_failed', message: '' } as const;
    const failed = finalReply({ ...written, outcome: 'failed', error });
    expect([made.usage, failed.usage]).toEqual([{ inputTokens: 1 }, { inputTokens: 1 }]);
  });
});
