/**
 * A page with text that is stored nowhere else (the browser's storage is full) refuses to unload. A browser would ask the person; Electron
 * just leaves the window open, and nobody would know why it can't be closed. So this asks, unless there is no time to.
 */
import type { BrowserWindow } from 'electron';
import type { Dialogs } from './dialogs.ts';
import type { Quit } from './quit.ts';

/** What it asks and reports. */
export interface UnloadDeps {
  quit: Pick<Quit, 'isQuitting' | 'isFinal' | 'quit' | 'stay'>;
  dialogs: Pick<Dialogs, 'askBeforeUnload'>;
}

/** Watches a window whose page may refuse to unload. */
export function setupUnload(window: BrowserWindow, { quit, dialogs }: UnloadDeps): void {
  let isAsking = false;
  let mayLeave = false;

  async function ask(): Promise<void> {
    const wasQuitting = quit.isQuitting();
    quit.stay();
    if (isAsking) return;
    isAsking = true;
    // The window has to be visible while this is asked, even if the app quits while it is hidden.
    window.show();
    const answer = await dialogs.askBeforeUnload(window).finally(() => {
      isAsking = false;
    });
    if (answer === 'stay' || window.isDestroyed()) return;
    mayLeave = true;
    if (wasQuitting) quit.quit();
    else window.close();
  }

  window.webContents.on('will-prevent-unload', (event) => {
    // Here, preventDefault overrides the page's refusal.
    if (mayLeave || quit.isFinal()) event.preventDefault();
    else void ask();
  });
}
