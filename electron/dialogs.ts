/** The main process's dialogs for when something goes wrong. */
import type { BrowserWindow, Dialog, MessageBoxOptions, Shell } from 'electron';
import { words } from './words.ts';

/** What dialogs work with. */
export interface DialogDeps {
  dialog: Pick<Dialog, 'showMessageBox'>;
  shell: Pick<Shell, 'openPath'>;
  /** The log file, named in every dialog about a fault. */
  logPath: string;
}

interface AskOptions {
  /** The window it is about; the dialog stands alone if that window can't be seen. */
  window?: BrowserWindow | null;
  /** The choice for Esc; the last unless given. */
  escape?: number;
}

/** The app's dialogs. */
export type Dialogs = ReturnType<typeof createDialogs>;

const text = words.dialogs;
const AGAIN = ['again', text.tryAgain] as const;
const QUIT = ['quit', text.quit] as const;
const CLOSE = ['close', text.closeWindow] as const;
const RESTART = ['restart', text.restart] as const;
const RELOAD = ['reload', text.reload] as const;

/**
 * Whether a dialog may be attached to the window: on a hidden one it may be invisible, too, and quick ask, which alone is
 * always on top, hides when the dialog takes the focus.
 */
const canHold = (window: BrowserWindow): boolean =>
  !window.isDestroyed() && window.isVisible() && !window.isAlwaysOnTop();

/** Makes the app's dialogs. */
export function createDialogs({ dialog, shell, logPath }: DialogDeps) {
  /**
   * Shows a dialog and resolves with the choice. Enter makes the first, Esc usually the last. After an error the logs can be
   * opened any number of times before.
   */
  async function ask<T extends string>(
    type: 'info' | 'warning' | 'error',
    message: { message: string; detail: string },
    choices: readonly (readonly [T, string])[],
    { window = null, escape = choices.length - 1 }: AskOptions = {},
  ): Promise<T> {
    const labels = choices.map(([, label]) => label);
    const box: MessageBoxOptions = {
      type,
      title: words.app,
      ...message,
      buttons: type === 'error' ? [...labels, text.openLogs] : labels,
      defaultId: 0,
      cancelId: escape,
      noLink: true,
    };
    for (;;) {
      const isThere = window !== null && canHold(window);
      const { response } = await (isThere ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box));
      const choice = choices[response];
      if (choice !== undefined) return choice[0];
      await shell.openPath(logPath);
    }
  }

  return {
    /** A start failed, for this reason in words for a person. */
    notStarted: (reason: string): Promise<'again' | 'quit'> =>
      ask('error', text.notStarted(reason, logPath), [AGAIN, QUIT]),
    /** Another process serves the data folder, at this address if it says one. */
    owned: (owner: { pid: number | null; baseUrl: string | null }): Promise<'open' | 'again' | 'quit'> =>
      ask<'open' | 'again' | 'quit'>('info', text.owned(owner), [
        ...(owner.baseUrl === null ? [] : [['open', text.openInBrowser] as const]),
        AGAIN,
        QUIT,
      ]),
    /** Another version was installed while this one runs. */
    replaced: (): Promise<'restart' | 'later'> =>
      ask('info', text.replaced, [RESTART, ['later', text.later]]),
    /** A fault from which the process can't recover. */
    fault: (): Promise<'restart' | 'quit'> => ask('error', text.fault(logPath), [RESTART, QUIT]),
    askAfterCrashes: (window: BrowserWindow): Promise<'reload' | 'close'> =>
      ask('error', text.pageGone(logPath), [RELOAD, CLOSE], { window }),
    askWhileHanging: (window: BrowserWindow): Promise<'reload' | 'wait'> =>
      ask('warning', text.pageHangs, [RELOAD, ['wait', text.wait]], { window }),
    /** Closing the page would lose something. */
    askBeforeUnload: (window: BrowserWindow): Promise<'stay' | 'leave'> =>
      ask(
        'warning',
        text.unload,
        [
          ['stay', text.keepOpen],
          ['leave', text.discard],
        ],
        { window, escape: 0 },
      ),
    askNotLoaded: (window: BrowserWindow, reason: string): Promise<'reload' | 'close'> =>
      ask('error', text.pageNotLoaded(reason, logPath), [['reload', text.tryAgain], CLOSE], { window }),
  };
}
