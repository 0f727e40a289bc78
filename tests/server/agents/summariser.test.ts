import { expect, test } from 'vitest';
import type { HistoryExchange } from '../../../server/agents/branch.ts';
import { measure as measuring, type MeasureBasis } from '../../../server/agents/measure.ts';
import { planSummary as planning, type PlanRequest } from '../../../server/agents/summariser.ts';
import type { HistoryRow } from '../../../server/store/branch-repository.ts';
import { atOnce } from '../../../server/store/pieces.ts';

const measure = (...given: Parameters<typeof measuring>) => atOnce(measuring(...given));
const planSummary = (...given: Parameters<typeof planning>) => atOnce(planning(...given));
const row = (seq: number, content: string, changes: Partial<HistoryRow> = {}): HistoryRow => ({
  seq,
  id: `m${seq}`,
  role: 'user',
  content,
  attachments: null,
  steps: [],
  rounds: null,
  stopReason: null,
  replyTo: null,
  model: 'box/m',
  usage: null,
  createdAt: '2026-01-01T10:00:00.000Z',
  ...changes,
});

/** An exchange of about that many tokens. */
const exchange = (index: number, tokens: number, reported?: number): HistoryExchange => ({
  question: row(index * 2 + 1, 'x'.repeat(Math.round((tokens - 8) * 3.5) - 4)),
  reply: row(index * 2 + 2, 'fine', reported === undefined ? {} : { usage: { contextTokens: reported } }),
});
const exchanges = (...sizes: number[]): HistoryExchange[] =>
  sizes.map((size, index) => exchange(index, size));

/** A model that reads plenty. */
const basis = (model: string, deletedAt: string | null): MeasureBasis => ({
  model,
  deletedAt,
  limit: 100_000,
  setup: () => 0,
});

/** How many of the exchanges are summarised. */
const summarised = (sizes: number[], request: Partial<PlanRequest> = {}): number =>
  planSummary(
    { exchanges: exchanges(...sizes) },
    { reason: 'nearly_full', limit: 1_000, waiting: 0, ...request },
  ).length;

test('the newest exchanges that fit into two fifths of the limit are kept, two at least', () => {
  expect(summarised(Array<number>(8).fill(95))).toBe(4);
  expect(summarised([300, 300, 300])).toBe(1);
  expect(summarised([300, 30, 30, 30, 30, 30])).toBe(1);
});

test('after a reply, what is hardly worth a request is left', () => {
  expect(summarised([50, 400, 400])).toBe(0);
  expect(summarised([50, 400, 400], { reason: 'no_room' })).toBe(1);
});

test('what would not even fit with two is summarised to fewer', () => {
  expect(summarised([100, 600, 600], { reason: 'no_room', waiting: 100 })).toBe(2);
  expect(summarised([2_000, 2_000], { reason: 'no_room' })).toBe(2);
});

test('by hand the older half at least is summarised, however short it is, and two exchanges are always kept', () => {
  expect(summarised([10, 10, 10, 10, 10, 10], { reason: 'by_hand', limit: 100_000 })).toBe(3);
  expect(summarised([10, 10, 980], { reason: 'by_hand' })).toBe(1);
  expect(summarised([500, 500], { reason: 'by_hand' })).toBe(0);
});

test('what a model refused is summarised whatever the limit is said to be', () => {
  expect(summarised([100, 100, 100, 100], { reason: 'refused', limit: 1_000_000 })).toBeGreaterThan(1);
  expect(summarised([100], { reason: 'refused', limit: 1_000_000 })).toBe(1);
  expect(summarised([], { reason: 'refused' })).toBe(0);
});

test('the context is what the last reply told, and a reckoning of what came since', () => {
  const reported = [exchange(0, 100, 400), exchange(1, 100, 520)];
  expect(measure({ summary: null, exchanges: reported }, basis('box/m', null))).toEqual({
    tokens: 520,
    isEstimate: false,
  });
  const since = measure({ summary: null, exchanges: [...reported, exchange(2, 100)] }, basis('box/m', null));
  expect(since?.isEstimate).toBe(true);
  expect(Math.abs((since?.tokens ?? 0) - 620)).toBeLessThan(10);
  expect(measure({ summary: null, exchanges: reported }, basis('box/other', null))).toEqual({
    tokens: 520,
    isEstimate: true,
  });
  expect(measure({ summary: null, exchanges: [] }, basis('box/m', null))).toBeNull();
});

test('what was told before a summary was made, or of a much shorter conversation, no longer counts', () => {
  const summary = {
    id: 's',
    chatId: 'c',
    uptoSeq: 1,
    uptoId: 'm1',
    madeAtSeq: 4,
    text: 'It was about cats.',
    model: 'box/m',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const kept = [exchange(1, 100, 9_000)];
  const after = measure({ summary, exchanges: kept }, basis('box/m', null));
  expect(after?.isEstimate).toBe(true);
  expect(after?.tokens).toBeLessThan(150);
  const whole = [exchange(0, 5_000), exchange(1, 100, 200)];
  expect(measure({ summary: null, exchanges: whole }, basis('box/m', null))?.tokens).toBeGreaterThan(5_000);
});

test('what was told while the model read a message that is deleted now no longer counts', () => {
  const left = { summary: null, exchanges: [exchange(1, 100, 9_000)] };
  const reported = { tokens: 9_000, isEstimate: false };
  expect(measure(left, basis('box/m', '2026-01-01T09:59:59.000Z'))).toEqual(reported);
  const after = measure(left, basis('box/m', '2026-01-01T10:00:01.000Z'));
  expect(after?.isEstimate).toBe(true);
  expect(after?.tokens).toBeLessThan(150);
});

test('what tools gave counts whole where all fits, and else as far as it is sent', () => {
  const steps = [{ id: 's', tool: 't', status: 'done' as const, input: {}, output: 'y'.repeat(35_000) }];
  const read = [{ question: row(1, 'Read it.'), reply: row(2, 'Done.', { steps }) }];
  const tokens = (limit: number): number =>
    measure({ summary: null, exchanges: read }, { ...basis('box/m', null), limit })?.tokens ?? 0;
  expect(tokens(100_000)).toBeGreaterThan(10_000);
  expect(tokens(4_096)).toBeLessThan(300);
});

test('instructions and tools count where the model told nothing', () => {
  const asked = { summary: null, exchanges: [exchange(0, 100)] };
  const without = measure(asked, basis('box/m', null))?.tokens ?? 0;
  expect(measure(asked, { ...basis('box/m', null), setup: () => 400 })?.tokens).toBe(without + 400);
  const reported = { summary: null, exchanges: [exchange(0, 100, 520)] };
  expect(measure(reported, { ...basis('box/m', null), setup: () => 400 })?.tokens).toBe(520);
});
