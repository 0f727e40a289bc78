import type { BrowserWindow, Dialog, OpenDialogOptions } from 'electron';
import { expect, it, vi } from 'vitest';
import { createChooseFolder } from '../../electron/choose-folder.ts';

const WINDOW = { id: 1 } as unknown as BrowserWindow;

/** A dialog that is answered when `answer` is called. */
function createDialog() {
  const { promise, resolve } = Promise.withResolvers<{ canceled: boolean; filePaths: string[] }>();
  const showOpenDialog = vi.fn((..._args: unknown[]) => promise);
  const answer = (...filePaths: string[]): void => resolve({ canceled: filePaths.length === 0, filePaths });
  return { dialog: { showOpenDialog } as unknown as Dialog, showOpenDialog, answer };
}

it('asks for one folder over the window, once at a time', async () => {
  const { dialog, showOpenDialog, answer } = createDialog();
  const choose = createChooseFolder(dialog);
  const first = choose(WINDOW);
  expect(await choose(WINDOW)).toBeNull();
  answer('/home/ana/Notes');
  expect(await first).toBe('/home/ana/Notes');
  expect(showOpenDialog).toHaveBeenCalledOnce();
  const [window, options] = showOpenDialog.mock.calls[0] ?? [];
  expect(window).toBe(WINDOW);
  expect((options as OpenDialogOptions).properties).toEqual(['openDirectory', 'createDirectory']);
  expect(await choose(WINDOW)).toBe('/home/ana/Notes');
});

it('is told of nothing when the person chose nothing, and needs no window', async () => {
  const { dialog, showOpenDialog, answer } = createDialog();
  const chosen = createChooseFolder(dialog)(null);
  answer();
  expect(await chosen).toBeNull();
  expect(showOpenDialog.mock.calls[0]).toHaveLength(1);
});
