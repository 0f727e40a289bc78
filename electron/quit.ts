/**
 * The way out. Whatever asks for it (a menu, a signal, the system's shutdown, an update), windows close, the service is given
 * its bounded time to answer what is under way and to close its store, and only then does the process end.
 */
import type { App, PowerMonitor } from 'electron';

/** What leaving works with. */
export interface QuitDeps {
  app: Pick<App, 'on' | 'quit' | 'exit'>;
  powerMonitor: Pick<PowerMonitor, 'on'>;
  /** Stops what runs, within its own bounds; called once. */
  stop: () => Promise<void>;
  log: (line: string) => void;
  /** What tells of SIGINT and SIGTERM; this process unless given. */
  signals?: Pick<NodeJS.EventEmitter, 'on'>;
}

/** The app's way out. */
export interface Quit {
  /** From the first moment that windows may really close. */
  isQuitting(): boolean;
  /** Ends the app in order with this exit code; 0 unless given. */
  quit(exitCode?: number): void;
  /** Stops the service for somebody who ends the process in a way of his own, such as an installer. */
  prepare(): Promise<void>;
}

/** The service stops within 5 seconds; whatever holds it up longer doesn't hold up a shutdown. */
const STOP_LIMIT_MS = 6_000;

/** Sees to it that the app never ends before its service has, and always soon after. Call it before the app is ready. */
export function setupQuit({ app, powerMonitor, stop, log, signals = process }: QuitDeps): Quit {
  let isQuitting = false;
  let code = 0;
  let stopping: Promise<void> | null = null;

  const stopOnce = (): Promise<void> => {
    const limit = new Promise<void>((resolve) => {
      setTimeout(resolve, STOP_LIMIT_MS).unref();
    });
    stopping ??= Promise.race([stop(), limit]).catch((error: unknown) =>
      log(`Stopping failed: ${String(error)}`),
    );
    return stopping;
  };

  app.on('before-quit', () => {
    isQuitting = true;
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    void stopOnce().then(() => app.exit(code));
  });

  const quit = (exitCode = 0): void => {
    code ||= exitCode;
    isQuitting = true;
    app.quit();
  };

  // Elsewhere than on Windows the system waits for those who ask it to; there the windows are told (main.ts).
  powerMonitor.on('shutdown', (event?: { preventDefault: () => void }) => {
    event?.preventDefault();
    quit();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) signals.on(signal, () => quit());

  return {
    isQuitting: () => isQuitting,
    quit,
    prepare() {
      isQuitting = true;
      return stopOnce();
    },
  };
}
