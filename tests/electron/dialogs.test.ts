import type { BrowserWindow } from 'electron';
import { expect, it, vi } from 'vitest';
import { createDialogs } from '../../electron/dialogs.ts';

/** Asks on a window; whether the dialog hung on it, and what Esc would have done. */
async function ask(state: { isDestroyed?: boolean; isVisible?: boolean; isAlwaysOnTop?: boolean }) {
  const window = {
    isDestroyed: () => state.isDestroyed ?? false,
    isVisible: () => state.isVisible ?? true,
    isAlwaysOnTop: () => state.isAlwaysOnTop ?? false,
  } as unknown as BrowserWindow;
  const showMessageBox = vi.fn(async (..._args: unknown[]) => ({ response: 0, checkboxChecked: false }));
  const dialogs = createDialogs({
    dialog: { showMessageBox },
    shell: { openPath: async () => '' },
    logPath: '/logs/parley.log',
  });
  const answer = await dialogs.askBeforeUnload(window);
  const [args = []] = showMessageBox.mock.calls;
  return { answer, hangs: args[0] === window, box: args.at(-1) };
}

it('hangs on the window that it is about', async () => {
  expect((await ask({})).hangs).toBe(true);
});

it.each([{ isDestroyed: true }, { isVisible: false }, { isAlwaysOnTop: true }])(
  'stands by itself where the window could hide it: %o',
  async (state) => {
    expect((await ask(state)).hangs).toBe(false);
  },
);

it('loses nothing by Enter or Esc', async () => {
  const { answer, box } = await ask({});
  expect(answer).toBe('stay');
  expect(box).toMatchObject({ defaultId: 0, cancelId: 0 });
});
