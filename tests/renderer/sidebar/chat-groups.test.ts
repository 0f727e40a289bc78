import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Chat } from '../../../shared/api/chat.ts';
import { groupChats, timeUnder } from '../../../renderer/sidebar/chat-groups.ts';

const chat = (updatedAt: string): Chat => ({
  id: updatedAt,
  title: updatedAt,
  status: 'idle',
  model: 'offline-assistant',
  createdAt: updatedAt,
  updatedAt,
  workspaceId: 'w',
  agentType: 'orchestrator',
  pinned: false,
  archived: false,
});
const keys = (now: string, ...times: string[]): string[] =>
  groupChats(
    times.map((time) => chat(new Date(time).toISOString())),
    new Date(now),
  ).map(({ key, chats }) => `${key} ${chats.length}`);

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterEach(() => void vi.unstubAllEnvs());

test('chats stand under the day of their last change, as the reader’s calendar has it', () => {
  expect(
    keys(
      '2026-11-20T00:30:00+01:00',
      '2026-11-20T00:10:00+01:00',
      '2026-11-19T23:59:00+01:00',
      '2026-11-18T12:00:00+01:00',
      '2026-11-13T00:00:00+01:00',
      '2026-11-12T23:59:00+01:00',
      '2026-10-21T00:00:00+02:00',
      '2026-10-20T23:59:00+02:00',
      '2025-10-20T12:00:00+02:00',
    ),
  ).toEqual(['today 1', 'yesterday 1', 'week 2', 'month 2', '2026-10 1', '2025-10 1']);
});

test('the days are whole when the clock is changed', () => {
  // In the night to 25 October 2026 an hour comes twice, in that to 29 March one is left out.
  expect(keys('2026-10-26T00:10:00+01:00', '2026-10-25T00:05:00+02:00')).toEqual(['yesterday 1']);
  expect(keys('2026-11-01T00:10:00+01:00', '2026-10-25T00:05:00+02:00')).toEqual(['week 1']);
  expect(keys('2026-03-30T23:50:00+02:00', '2026-03-29T00:05:00+01:00')).toEqual(['yesterday 1']);
});

test('a chat of the future, by a clock that was set back, is one of today', () => {
  expect(keys('2026-11-20T12:00:00+01:00', '2026-11-25T12:00:00+01:00', '2026-11-20T11:00:00+01:00')).toEqual(
    ['today 2'],
  );
});

test('a month knows which one it is', () => {
  const [group] = groupChats([chat('2026-08-31T22:30:00.000Z')], new Date('2026-11-20T12:00:00Z'));
  expect(group?.key).toBe('2026-09');
  expect(group?.month?.getMonth()).toBe(8);
});

test('a chat’s time repeats nothing that its heading says', () => {
  const now = new Date('2026-11-20T12:00:00+01:00');
  const under = (key: string, iso: string): string => timeUnder(key, iso, now);
  expect(under('today', '2026-11-20T09:05:00+01:00')).toMatch(/:05/);
  expect(under('yesterday', '2026-11-19T21:30:00+01:00')).toMatch(/:30/);
  expect(under('yesterday', '2026-11-19T21:30:00+01:00')).not.toMatch(/Thu/);
  expect(under('2025-10', '2025-10-12T12:00:00+02:00')).toMatch(/12/);
  expect(under('2025-10', '2025-10-12T12:00:00+02:00')).not.toMatch(/2025|Oct/);
  // A list without headings has it all.
  expect(under('', '2025-10-12T12:00:00+02:00')).toMatch(/2025/);
});
