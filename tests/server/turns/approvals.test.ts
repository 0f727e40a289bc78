import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApprovals, type ApprovalOutcome } from '../../../server/turns/approvals.ts';
import { createToolCall, findToolCall } from '../../../server/store/tool-call-repository.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';

const HOUR_MS = 60 * 60_000;
const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const ASKED = { id: 'a', chatId: 'c', expiresAt: new Date(NOW + HOUR_MS).toISOString() };

let temp: TempStore;
let wallMs: number;
const clock = (): Date => new Date(wallMs);

beforeEach(async () => {
  wallMs = NOW;
  temp = await openTempStore();
  await temp.store.write((writer) =>
    createToolCall(writer, {
      ...ASKED,
      replyId: 'r',
      tool: 'write_file',
      input: '{}',
      state: 'waiting',
      basis: null,
      place: '',
      placeName: '',
      described: '',
      createdAt: new Date(NOW).toISOString(),
    }),
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await temp.remove();
});

const ask = (): Promise<ApprovalOutcome> =>
  createApprovals({ store: temp.store, clock }).wait(ASKED, new AbortController().signal);

test.each([
  ['the computer slept over its time', 2 * HOUR_MS, 15_000],
  ['the clock was set back', -960 * HOUR_MS, HOUR_MS + 1],
])('a question is over, and that is written down, although %s', async (_what, leapMs, passesMs) => {
  const answer = ask();
  wallMs += leapMs;
  await vi.advanceTimersByTimeAsync(passesMs);
  expect(await answer).toBe('expired');
  expect(temp.store.read((reader) => findToolCall(reader, 'c', 'a'))?.state).toBe('expired');
});
