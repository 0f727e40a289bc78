import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { whenSeen } from '../../electron/when-seen.ts';

describe('a window that was made hidden', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function open() {
    const state = { isDestroyed: false };
    const webContents = new EventEmitter();
    const window = Object.assign(new EventEmitter(), { webContents, isDestroyed: () => state.isDestroyed });
    const show = vi.fn();
    whenSeen(window as unknown as BrowserWindow, show);
    return { window, webContents, show, state };
  }

  it('is shown once, when it is painted', () => {
    const { window, webContents, show } = open();
    window.emit('ready-to-show');
    webContents.emit('did-finish-load');
    vi.advanceTimersByTime(2_000);
    expect(show).toHaveBeenCalledOnce();
  });

  it('is shown when its page is loaded, painted or not', () => {
    const { webContents, show } = open();
    webContents.emit('did-finish-load');
    expect(show).toHaveBeenCalledOnce();
  });

  it('is shown after two seconds in any case', () => {
    const { show } = open();
    vi.advanceTimersByTime(1_999);
    expect(show).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(show).toHaveBeenCalledOnce();
  });

  it('is left alone when it is gone by then', () => {
    const { window, show, state } = open();
    state.isDestroyed = true;
    window.emit('closed');
    vi.advanceTimersByTime(5_000);
    expect(show).not.toHaveBeenCalled();
  });
});
