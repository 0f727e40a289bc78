/** The questions that the main process asks of a person when something does not go as it should. */
import type { BrowserWindow, Dialog, MessageBoxOptions, Shell } from 'electron';
import { words } from './words.ts';

/** What dialogs work with. */
export interface DialogDeps {
  dialog: Pick<Dialog, 'showMessageBox'>;
  shell: Pick<Shell, 'openPath'>;
  /** The log's file, named in every dialog about a fault. */
  logPath: string;
}

/** What a start that failed is about. */
export interface StartFailure {
  /** In words for a person. */
  reason: string;
}

interface AskOptions {
  /** The window that it is about; it stands by itself where that can't be seen. */
  window?: BrowserWindow | null;
  withLogs?: boolean;
  /** Which choice Esc takes; the last unless given. */
  escape?: number;
}

/** The app's dialogs. */
export interface Dialogs {
  /** A start failed. */
  notStarted(failure: StartFailure): Promise<'again' | 'quit'>;
  /** Another process serves the data folder, at this address if it says one. */
  owned(owner: { pid: number | null; baseUrl: string | null }): Promise<'open' | 'again' | 'quit'>;
  /** That process gave no link that signs in. */
  opensWithoutLink(address: string): Promise<void>;
  /** A fault that the process can't go on from. */
  fault(): Promise<'restart' | 'quit'>;
  askAfterCrashes(window: BrowserWindow): Promise<'reload' | 'quit'>;
  askWhileHanging(window: BrowserWindow): Promise<'reload' | 'wait'>;
  /** The page holds something that closing would lose. */
  askBeforeUnload(window: BrowserWindow): Promise<'stay' | 'leave'>;
  askNotLoaded(window: BrowserWindow, reason: string): Promise<'reload' | 'quit'>;
}

const text = words.dialogs;
const AGAIN = ['again', text.tryAgain] as const;
const QUIT = ['quit', text.quit] as const;
const RELOAD = ['reload', text.reload] as const;

/**
 * Whether a dialog may hang on the window: on one that nobody sees it may not be seen either, and quick ask, which alone is
 * on top of all, goes out of sight when the dialog takes the focus.
 */
const canHold = (window: BrowserWindow): boolean =>
  !window.isDestroyed() && window.isVisible() && !window.isAlwaysOnTop();

/** Makes the app's dialogs. */
export function createDialogs({ dialog, shell, logPath }: DialogDeps): Dialogs {
  /**
   * Shows a dialog and resolves with what was chosen. Enter does the first, Esc mostly the last. The logs can be opened on the
   * way, as often as one likes.
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
