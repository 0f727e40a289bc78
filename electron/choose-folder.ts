/** The system's folder dialog, which the page can't open. */
import type { BrowserWindow, Dialog, OpenDialogOptions } from 'electron';
import { words } from './words.ts';

/** Lets the person choose a folder, in a dialog over the window; null: they cancelled, or a dialog is already open. */
export function createChooseFolder(
  dialog: Pick<Dialog, 'showOpenDialog'>,
): (window: BrowserWindow | null) => Promise<string | null> {
  let isOpen = false;
  return async (window) => {
    if (isOpen) return null;
    isOpen = true;
    try {
      const options: OpenDialogOptions = {
        title: words.chooseFolder.title,
        buttonLabel: words.chooseFolder.choose,
        properties: ['openDirectory', 'createDirectory'],
      };
      const { canceled, filePaths } = await (window === null
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(window, options));
      return canceled ? null : (filePaths[0] ?? null);
    } finally {
      isOpen = false;
    }
  };
}
