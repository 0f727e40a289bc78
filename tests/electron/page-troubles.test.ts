import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setupPageTroubles, type PageTroublesDeps } from '../../electron/page-troubles.ts';

interface Over extends Partial<PageTroublesDeps['dialogs']> {
  isQuitting?: () => boolean;
}

function setUp({ isQuitting = () => false, ...over }: Over = {}) {
  const webContents: EventEmitter & { forcefullyCrashRenderer: () => void } = Object.assign(
    new EventEmitter(),
    {
      forcefullyCrashRenderer: vi.fn(
        () => void webContents.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 }),
      ),
    },
  );
  const destroy = vi.fn();
  const window = Object.assign(new EventEmitter(), { webContents, isDestroyed: () => false, destroy });
  const load = vi.fn();
  const lines: string[] = [];
  const dialogs = {
    askAfterCrashes: vi.fn(async () => 'reload' as const),
    askWhileHanging: vi.fn(async () => 'wait' as const),
    askNotLoaded: vi.fn(async () => 'reload' as const),
    ...over,
  };
  const log = (line: string): void => void lines.push(line);
  const notify = vi.fn();
  const deps = { log, dialogs, quit: { isQuitting }, notify };
  setupPageTroubles(window as unknown as BrowserWindow, load, deps);
  return {
    ...dialogs,
    notify,
    destroy,
    lines,
    load,
    window,
    webContents,
    crash: (reason = 'crashed') => webContents.emit('render-process-gone', {}, { reason, exitCode: 5 }),
    failLoad: (code = -102, isMainFrame = true) =>
      webContents.emit('did-fail-load', {}, code, 'ERR_CONNECTION_REFUSED', 'http://x', isMainFrame),
    finishLoad: () => webContents.emit('did-finish-load'),
  };
}

describe('a page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('that crashes is loaded again and says so, and the log has why', () => {
    const { crash, load, lines, notify } = setUp();
    crash('oom');
    expect(notify).toHaveBeenCalledWith(expect.stringContaining('had crashed'));
    expect(load).toHaveBeenCalledOnce();
    expect(lines.join()).toContain('oom');
  });

  it('that crashes again and again is for a person to decide, once', async () => {
    const { crash, load, askAfterCrashes } = setUp();
    for (let times = 0; times < 4; times += 1) crash();
    expect(load).toHaveBeenCalledTimes(3);
    expect(askAfterCrashes).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(0);
    expect(load).toHaveBeenCalledTimes(4);
  });

  it('that crashes now and then is always loaded again', () => {
    const { crash, load, askAfterCrashes } = setUp();
    for (let times = 0; times < 10; times += 1) {
      crash();
      vi.advanceTimersByTime(30_000);
    }
    expect(load).toHaveBeenCalledTimes(10);
    expect(askAfterCrashes).not.toHaveBeenCalled();
  });

  it('that ends on the way out, or as it should, is left in peace', () => {
    const leaving = setUp({ isQuitting: () => true });
    leaving.crash('killed');
    leaving.failLoad();
    expect(leaving.load).not.toHaveBeenCalled();
    const ended = setUp();
    ended.crash('clean-exit');
    expect(ended.load).not.toHaveBeenCalled();
  });

  it('that isn’t loaded is tried again for a while, then asked about', async () => {
    const { failLoad, load, askNotLoaded } = setUp();
    for (let times = 0; times < 5; times += 1) {
      failLoad();
      await vi.advanceTimersByTimeAsync(2_000);
    }
    expect(askNotLoaded).toHaveBeenCalledOnce();
    expect(load).toHaveBeenCalledTimes(5);
  });

  it('that was loaded in between begins to count anew', async () => {
    const { failLoad, finishLoad, askNotLoaded } = setUp();
    for (let times = 0; times < 12; times += 1) {
      failLoad();
      await vi.advanceTimersByTimeAsync(2_000);
      if (times % 3 === 0) finishLoad();
    }
    expect(askNotLoaded).not.toHaveBeenCalled();
  });

  it('is not loaded again for a frame, or a load that another took the place of', async () => {
    const { failLoad, load } = setUp();
    failLoad(-3);
    failLoad(-102, false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(load).not.toHaveBeenCalled();
  });

  it('that hangs is asked about, and loaded again only if the person says so', async () => {
    const patient = setUp();
    patient.window.emit('unresponsive');
    await vi.advanceTimersByTimeAsync(0);
    expect(patient.load).not.toHaveBeenCalled();
    expect(patient.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    const decided = setUp({ askWhileHanging: async () => 'reload' });
    decided.window.emit('unresponsive');
    await vi.advanceTimersByTimeAsync(0);
    // A process that hangs would not answer a navigation either: it is ended, and a new one loads the page.
    expect(decided.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce();
    expect(decided.load).toHaveBeenCalledOnce();
  });

  it('is asked about by one dialog at a time', () => {
    const never = new Promise<'wait'>(() => undefined);
    const askWhileHanging = vi.fn(() => never);
    const { window } = setUp({ askWhileHanging });
    window.emit('unresponsive');
    window.emit('unresponsive');
    expect(askWhileHanging).toHaveBeenCalledOnce();
  });

  it('given up by the person closes its window, not the app: another one may be fine', async () => {
    const { crash, destroy, load } = setUp({ askAfterCrashes: async () => 'close' });
    for (let times = 0; times < 4; times += 1) crash();
    await vi.advanceTimersByTimeAsync(0);
    expect(destroy).toHaveBeenCalledOnce();
    expect(load).toHaveBeenCalledTimes(3);
  });
});
