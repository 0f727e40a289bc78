import { expect, it } from 'vitest';
import { createReplyClock } from '../../../../server/turns/thread/reply-clock.ts';

type ReplyClock = ReturnType<typeof createReplyClock>;

/** A clock, and what makes it go on. */
function started(): { clock: ReplyClock; pass: (ms: number) => void } {
  let at = 5_000;
  const clock = createReplyClock(() => at);
  clock.start();
  return { clock, pass: (ms) => (at += ms) };
}

type Parts = ReturnType<typeof started>;

/** So many pieces, each after so long. */
function hear(
  { clock, pass }: Parts,
  kind: Parameters<ReplyClock['notePiece']>[0],
  count: number,
  ms: number,
): void {
  for (let piece = 0; piece < count; piece += 1) {
    pass(ms);
    clock.notePiece(kind, 'word ');
  }
}

const took = (outputTokens?: number, reasoningTokens?: number): Parameters<ReplyClock['endRound']>[0] => ({
  total: outputTokens,
  text: undefined,
  reasoning: reasoningTokens,
});

it('measures the wait, the thoughts, the pace and all of it', () => {
  const parts = started();
  const { clock, pass } = parts;
  pass(400);
  clock.notePiece('thought');
  hear(parts, 'thought', 20, 100);
  pass(500);
  clock.notePiece('thought');
  expect(clock.timing).toBeUndefined();
  hear(parts, 'text', 1, 0);
  expect(clock.timing).toEqual({ thoughtMs: 2_500, firstWordMs: 2_900 });
  hear(parts, 'text', 75, 20);
  pass(300);
  clock.endRound(took(200));
  pass(50);
  clock.end();
  expect(clock.timing).toEqual({
    firstWordMs: 2_900,
    thoughtMs: 2_500,
    totalMs: 4_750,
    // From the first piece to the last, thoughts included: the model counts all its tokens as one.
    tokensPerSecond: 50,
  });
});

it('adds up thoughts, and leaves tools between them out', () => {
  const parts = started();
  const { clock, pass } = parts;
  for (const ms of [100, 300]) {
    hear(parts, 'thought', 11, ms);
    pass(ms);
    clock.notePiece('call');
    clock.endRound(took());
    pass(60_000);
  }
  expect(clock.timing).toEqual({ thoughtMs: 4_400 });
  clock.end();
  expect(clock.timing?.totalMs).toBe(4_800 + 120_000);
});

it('tells of no thoughts that came at once, or that nothing followed', () => {
  const atOnce = started();
  atOnce.pass(9_000);
  hear(atOnce, 'thought', 50, 1);
  hear(atOnce, 'text', 1, 1);
  expect(atOnce.clock.timing).toEqual({ firstWordMs: 9_051 });
  const open = started();
  hear(open, 'thought', 50, 100);
  open.clock.end();
  expect(open.clock.timing).toEqual({ totalMs: 5_000 });
});

it('stops while a person is asked', () => {
  const { clock, pass } = started();
  pass(1_000);
  clock.setWaiting(true);
  pass(7_200_000);
  clock.setWaiting(true);
  clock.setWaiting(false);
  pass(500);
  clock.notePiece('text', ' \n');
  pass(500);
  clock.notePiece('text', 'So');
  clock.setWaiting(true);
  pass(60_000);
  clock.end();
  expect(clock.timing).toEqual({ firstWordMs: 2_000, totalMs: 2_000 });
});

it.each([
  ['too few pieces', 9, 100, 100, undefined],
  ['all in one piece', 1, 5_000, 100, undefined],
  ['too short a time', 50, 10, 100, undefined],
  ['no tokens told', 50, 100, undefined, undefined],
  ['no tokens at all', 50, 100, 0, undefined],
  ['no number of tokens', 50, 100, Infinity, undefined],
  ['nothing but thoughts', 50, 100, 80, 80],
])('tells no pace from %s', (_, count, ms, outputTokens, reasoningTokens) => {
  const parts = started();
  hear(parts, 'text', count, ms);
  parts.clock.endRound(took(outputTokens, reasoningTokens));
  parts.clock.end();
  expect(parts.clock.timing).not.toHaveProperty('tokensPerSecond');
});

it('leaves thoughts out of the pace where their tokens are told, wherever they stand', () => {
  const parts = started();
  hear(parts, 'thought', 3, 4_000);
  hear(parts, 'text', 11, 100);
  hear(parts, 'thought', 3, 4_000);
  hear(parts, 'call', 11, 100);
  parts.clock.endRound(took(5_100, 5_000));
  parts.clock.end();
  expect(parts.clock.timing?.tokensPerSecond).toBe(50);
});

it('tells the pace of the rounds that could be measured', () => {
  const parts = started();
  hear(parts, 'text', 2, 10);
  parts.clock.endRound(took(900));
  parts.pass(30_000);
  hear(parts, 'text', 21, 100);
  parts.clock.endRound(took(60));
  parts.clock.end();
  expect(parts.clock.timing?.tokensPerSecond).toBe(30);
});

it('measures nothing of a reply for which no model was asked', () => {
  const clock = createReplyClock();
  clock.end();
  expect(clock.timing).toBeUndefined();
});
