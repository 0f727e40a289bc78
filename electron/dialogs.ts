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

/** Why a start failed. */
export interface StartFailure {
  /** In words for a person. */
  reason: string;
}

interface AskOptions {
  /** The window it is about; the dialog stands alone if that window can't be seen. */
  window?: BrowserWindow | null;
  withLogs?: boolean;
  /** The choice for Esc; the last unless given. */
  escape?: number;
}

/** The app's dialogs. */
export interface Dialogs {
  /** A start failed. */
  notStarted(failure: StartFailure): Promise<'again' | 'quit'>;
  /** Another process serves the data folder, at this address if it says one. */
  owned(owner: { pid: number | null; baseUrl: string | null }): Promise<'open' | 'again' | 'quit'>;
  /** That process gave no sign-in link. */
  opensWithoutLink(address: string): Promise<void>;
  /** A fault from which the process can't recover. */
  fault(): Promise<'restart' | 'quit'>;
  askAfterCrashes(window: BrowserWindow): Promise<'reload' | 'quit'>;
  askWhileHanging(window: BrowserWindow): Promise<'reload' | 'wait'>;
  /** Closing the page would lose something. */
  askBeforeUnload(window: BrowserWindow): Promise<'stay' | 'leave'>;
  askNotLoaded(window: BrowserWindow, reason: string): Promise<'reload' | 'quit'>;
}

const text = words.dialogs;
const AGAIN = ['again', text.tryAgain] as const;
const QUIT = ['quit', text.quit] as const;
const RELOAD = ['reload', text.reload] as const;

/**
 * Whether a dialog may be attached to the window: on a hidden one it may be invisible, too, and quick ask, which alone is
 * always on top, hides when the dialog takes the focus.
 */
const canHold = (window: BrowserWindow): boolean =>
  !window.isDestroyed() && window.isVisible() && !window.isAlwaysOnTop();

/** Makes the app's dialogs. */
export function createDialogs({ dialog, shell, logPath }: DialogDeps): Dialogs {
  /**
   * Shows a dialog and resolves with the choice. Enter makes the first, Esc usually the last. The logs can be opened
   * any number of times before.
   */
  async function ask<T extends string>(
    options: Pick<MessageBoxOptions, 'type' | 'message' | 'detail'>,
    choices: readonly (readonly [T, string])[],
    { window = null, withLogs = true, escape = choices.length - 1 }: AskOptions = {},
  ): Promise<T> {
    const labels = choices.map(([, label]) => label);
    const box: MessageBoxOptions = {
      title: words.app,
      ...options,
      buttons: withLogs ? [...labels, text.openLogs] : labels,
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
    notStarted: ({ reason }) =>
      ask(
        { type: 'error', message: text.notStarted.message, detail: text.notStarted.detail(reason, logPath) },
        [AGAIN, QUIT],
      ),
    owned: ({ pid, baseUrl }) => {
      const who = pid === null ? text.owned.someProcess : text.owned.process(pid);
      const detail = baseUrl === null ? text.owned.detailUnknown(who) : text.owned.detail(who, baseUrl);
      return ask<'open' | 'again' | 'quit'>(
        { type: 'info', message: text.owned.message, detail },
        [...(baseUrl === null ? [] : [['open', text.owned.open] as const]), AGAIN, QUIT],
        { withLogs: false },
      );
    },
    async opensWithoutLink(address) {
      const { message, opensWithoutLink } = text.owned;
      await ask({ type: 'info', message, detail: opensWithoutLink(address) }, [['open', text.owned.open]], {
        withLogs: false,
      });
    },
    fault: () =>
      ask({ type: 'error', message: text.fault.message, detail: text.fault.detail(logPath) }, [
        ['restart', text.restart],
        QUIT,
      ]),
    askAfterCrashes: (window) =>
      ask(
        { type: 'error', message: text.pageGone.message, detail: text.pageGone.detail(logPath) },
        [RELOAD, QUIT],
        { window },
      ),
    askWhileHanging: (window) =>
      ask({ type: 'warning', ...text.pageHangs }, [RELOAD, ['wait', text.wait]], { window, withLogs: false }),
    askBeforeUnload: (window) =>
      ask(
        { type: 'warning', message: text.unload.message, detail: text.unload.detail },
        [
          ['stay', text.unload.stay],
          ['leave', text.unload.leave],
        ],
        { window, withLogs: false, escape: 0 },
      ),
    askNotLoaded: (window, reason) =>
      ask(
        {
          type: 'error',
          message: text.pageNotLoaded.message,
          detail: text.pageNotLoaded.detail(reason, logPath),
        },
        [['reload', text.tryAgain], QUIT],
        { window },
      ),
  };
}
