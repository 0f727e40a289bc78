import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, it, vi } from 'vitest';
import { setupUnload } from '../../electron/unload.ts';
import { createQuitParts } from '../support/quit-parts.ts';

/** A window whose page refuses to go, as Electron tells of it: unless that is prevented, the window stays. */
function setUp(answer: 'stay' | 'leave') {
  const parts = createQuitParts();
  parts.windows.close = false;
  const webContents = new EventEmitter();
  const state = { isOpen: true };
  const unload = (): void => {
    const preventDefault = vi.fn();
    webContents.emit('will-prevent-unload', { preventDefault });
    state.isOpen = preventDefault.mock.calls.length === 0;
  };
  const window = Object.assign(new EventEmitter(), {
    webContents,
    isDestroyed: () => !state.isOpen,
    show: vi.fn(),
    close: vi.fn(unload),
  });
  parts.app.on('before-quit', unload);
  const askBeforeUnload = vi.fn(async () => answer);
  setupUnload(window as unknown as BrowserWindow, { quit: parts.quit, dialogs: { askBeforeUnload } });
  return { ...parts, window, state, askBeforeUnload, unload };
}

const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('keeps a window open whose page would lose something, and says so where it can be seen', async () => {
  const { quit, window, state, askBeforeUnload } = setUp('stay');
  quit.quit();
  await answered();
  expect(window.show).toHaveBeenCalled();
  expect(askBeforeUnload).toHaveBeenCalledOnce();
  expect(state.isOpen).toBe(true);
  expect(quit.isQuitting()).toBe(false);
});

it('quits when the person gives up what would be lost', async () => {
  const { quit, state } = setUp('leave');
  quit.quit();
  await answered();
  expect(state.isOpen).toBe(false);
  expect(quit.isQuitting()).toBe(true);
});

it('closes the window alone when only that was asked for', async () => {
  const { quit, window, state } = setUp('leave');
  window.close();
  await answered();
  expect(state.isOpen).toBe(false);
  expect(quit.isQuitting()).toBe(false);
});

it('asks once, however often the window is told to close', async () => {
  const { window, askBeforeUnload } = setUp('stay');
  window.close();
  window.close();
  await answered();
  expect(askBeforeUnload).toHaveBeenCalledOnce();
});

it('asks nobody when the system shuts down', async () => {
  const { quit, state, askBeforeUnload } = setUp('stay');
  quit.end();
  await answered();
  expect(askBeforeUnload).not.toHaveBeenCalled();
  expect(state.isOpen).toBe(false);
});
