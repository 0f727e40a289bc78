import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchHiddenStart } from '../../electron/background.ts';

describe('a hidden start', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function start(inTrayAfterMs: number, overAfterMs = Infinity): Promise<boolean> {
    const show = vi.fn();
    const startedAt = Date.now();
    const past = (ms: number): boolean => Date.now() - startedAt >= ms;
    const watched = watchHiddenStart({
      isInTray: () => Promise.resolve(past(inTrayAfterMs)),
      isOver: () => past(overAfterMs),
      show,
    });
    await vi.advanceTimersByTimeAsync(20_000);
    await watched;
    return show.mock.calls.length === 1;
  }

  it('stays without a window where a tray icon is seen, even if the desktop comes up later', async () => {
    expect(await start(0)).toBe(false);
    expect(await start(8_000)).toBe(false);
  });

  it('opens the window where nothing else would lead to Parley', async () => {
    expect(await start(Infinity)).toBe(true);
  });

  it('opens none when there is one already, or Parley ends', async () => {
    expect(await start(Infinity, 3_000)).toBe(false);
  });
});
