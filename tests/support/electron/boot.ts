/** Starts the browser once the app's entry has been evaluated, and then makes the app ready. */
import { join } from 'node:path';
import { app } from './app.ts';
import { Chromium, chromiumPath } from './chromium.ts';
import { entryEvaluated } from './entry.ts';
import { guardTargets } from './targets.ts';

let started: Chromium | null = null;

/** Chromium; absent before the app is ready. */
export function browser(): Chromium {
  if (started === null) throw new Error('Cannot create BrowserWindow before app is ready');
  return started;
}

/** Where the test can connect to the browser. */
export const endpoint: Promise<string> = start();

async function start(): Promise<string> {
  await entryEvaluated;
  if (app.standInIsEnding) return new Promise(() => undefined);
  const executable = await chromiumPath();
  const profile = join(app.getPath('sessionData'), 'stand-in-chromium');
  const chromium = new Chromium(profile, executable, app.getLocale());
  app.standInBeforeExit(() => chromium.close());
  await guardTargets(chromium);
  started = chromium;
  app.standInReady();
  return chromium.endpoint();
}

/**
 * Electron installs its own signal handlers once the app's entry has run, replacing existing ones: an earlier listener
 * is never called. Its own quits the app and removes itself, so that a second signal of that kind ends the process at
 * once. A later listener replaces it (shell/browser/electron_browser_main_parts_posix.cc).
 */
async function takeSignals(): Promise<void> {
  await entryEvaluated;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    const quit = (): void => {
      if (process.listenerCount(signal) > 1) return;
      process.removeAllListeners(signal);
      app.quit();
    };
    process.on(signal, quit);
  }
}
void takeSignals();
