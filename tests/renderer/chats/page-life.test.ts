import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchPage } from '../../../renderer/chats/page-life.ts';

let page: EventTarget & { hidden: boolean };
let happened: string[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  happened = [];
  stop = watch(new EventTarget());
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function watch(window: EventTarget): () => void {
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', window);
  return watchPage({
    onLeft: () => happened.push('left'),
    onSeen: () => happened.push('seen'),
    onWoken: () => happened.push('woken'),
  });
}

function setHidden(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

const sleep = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

test('a page that is hidden for a moment is not left', () => {
  setHidden(true);
  vi.advanceTimersByTime(9_000);
  setHidden(false);
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual(['seen']);
});

test('a page that is hidden for long is left, and seen again', () => {
  setHidden(true);
  vi.advanceTimersByTime(60_000);
  setHidden(false);
  expect(happened).toEqual(['left', 'seen']);
});

test('a jump of the clock is a sleep, and the time that passes isn’t', () => {
  vi.advanceTimersByTime(600_000);
  expect(happened).toEqual([]);
  sleep(60_000);
  vi.advanceTimersByTime(5_000);
  expect(happened).toEqual(['woken']);
});

test('a sleep while the page was hidden is found when it is seen', () => {
  setHidden(true);
  sleep(3_600_000);
  setHidden(false);
  expect(happened).toEqual(['woken']);
});

test('a network that comes back is a reason to look; a page that is hidden from the start counts as left', () => {
  stop();
  const window = new EventTarget();
  page.hidden = true;
  stop = watch(window);
  vi.advanceTimersByTime(11_000);
  window.dispatchEvent(new Event('online'));
  expect(happened).toEqual(['left']);
  setHidden(false);
  window.dispatchEvent(new Event('online'));
  expect(happened).toEqual(['left', 'seen', 'woken']);
  stop();
  window.dispatchEvent(new Event('online'));
  expect(happened).toHaveLength(3);
});
