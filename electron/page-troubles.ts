/** Handles pages that crash, hang or fail to load: they are reloaded if possible; otherwise the person is asked. */
import type { BrowserWindow } from 'electron';
import type { Dialogs } from './dialogs.ts';
import type { Quit } from './quit.ts';
import { words } from './words.ts';

/** What it asks and reports. */
export interface PageTroublesDeps {
  log: (line: string) => void;
  dialogs: Pick<Dialogs, 'askAfterCrashes' | 'askWhileHanging' | 'askNotLoaded'>;
  quit: Pick<Quit, 'isQuitting'>;
  /** Has the page show a text once it is there again. */
  notify: (text: string) => void;
}

/** This many crashes within {@link CRASH_WINDOW_MS} are handled without asking. */
const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 60_000;
/** The service is in this very process, so a failed load is most likely temporary. */
const LOAD_TRIES = 5;
const LOAD_RETRY_MS = 300;
/** Chromium's code for a load that was replaced by another. */
const ERR_ABORTED = -3;

/** Watches a window's page from now on. `load` loads it again. */
export function setupPageTroubles(
  window: BrowserWindow,
  load: () => void,
  { log, dialogs, quit, notify }: PageTroublesDeps,
): void {
  const { webContents } = window;
  let crashes: number[] = [];
  let failedLoads = 0;
  let isAsking = false;
  /** One dialog at a time: the next waits until a person has answered the first. */
  const ask = async (shown: Promise<'reload' | 'wait' | 'close'>, again = load): Promise<void> => {
    isAsking = true;
    const answer = await shown.finally(() => {
      isAsking = false;
    });
    if (window.isDestroyed()) return;
    if (answer === 'close') window.destroy();
    if (answer === 'reload') again();
  };
  /** A hanging process would not let its page go; ending it on purpose is not a crash. */
  const endProcess = (): void => {
    crashes = [];
    webContents.forcefullyCrashRenderer();
  };

  webContents.on('did-finish-load', () => {
    failedLoads = 0;
  });
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (quit.isQuitting() || reason === 'clean-exit') return;
    log(`A page ended: ${reason}, exit code ${exitCode}.`);
    const now = performance.now();
    crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
    if (crashes.length <= MAX_CRASHES) {
      load();
      notify(words.pageReloaded);
    } else if (!isAsking) {
      crashes = [];
      void ask(dialogs.askAfterCrashes(window));
    }
  });
  webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === ERR_ABORTED || quit.isQuitting()) return;
    failedLoads += 1;
    log(`A page was not loaded: ${description} (${code}).`);
    if (failedLoads < LOAD_TRIES) {
      setTimeout(() => {
        if (!window.isDestroyed() && !quit.isQuitting()) load();
      }, LOAD_RETRY_MS * failedLoads);
    } else if (!isAsking) {
      failedLoads = 0;
      void ask(dialogs.askNotLoaded(window, description));
    }
  });
  window.on('unresponsive', () => {
    if (isAsking || quit.isQuitting()) return;
    log('A page does not answer.');
    void ask(dialogs.askWhileHanging(window), endProcess);
  });
}
