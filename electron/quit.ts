/**
 * Quitting. Whatever triggers it (a menu, a signal, system shutdown, an update), windows close, the service gets a limited time to finish
 * requests and close its store, and only then does the process end.
 */
import type { App, PowerMonitor } from 'electron';

/** What leaving works with. */
export interface QuitDeps {
  app: Pick<App, 'on' | 'quit'>;
  powerMonitor: Pick<PowerMonitor, 'on'>;
  /** Stops what runs, within its own bounds; called once. */
  stop: () => Promise<void>;
  /** The last thing before the process ends; not called when an installer ends it. */
  beforeExit?: () => void;
  /** Ends the process with a code. */
  exit: (code: number) => void;
  log: (line: string) => void;
  /** Resolves when Electron is ready. Before, it takes over the signals that were listened for; after, it leaves them be. */
  ready: Promise<unknown>;
  /** What tells of signals; this process unless given. */
  signals?: Pick<NodeJS.EventEmitter, 'on'>;
}

/** The app's way out. */
export interface Quit {
  /** From the first moment that windows may really close. */
  isQuitting(): boolean;
  /** Whether nobody is asked any more: the system, a signal, an installer or a fault wants it, not a person. */
  isFinal(): boolean;
  /** Ends the app in order with this exit code; 0 unless given. Any other is final. */
  quit(exitCode?: number): void;
  /** As {@link quit}, and final; also where an installer was prepared for and didn't come. */
  end(): void;
  /** The way out is not taken after all, or not yet: a window stays open. Without effect once it is final. */
  stay(): void;
  /** Stops the service for somebody who ends the process in a way of his own, such as an installer. */
  prepare(): Promise<void>;
}

/** The service gives itself no longer; whatever holds it up doesn't hold up a shutdown. */
const STOP_LIMIT_MS = 5_000;
/** Windows close at once; one whose page hangs is not waited for. */
const WINDOWS_LIMIT_MS = 3_000;

/** Sees to it that the app never ends before its service has, and always soon after. Call it before the app is ready. */
export function setupQuit(deps: QuitDeps): Quit {
  const { app, powerMonitor, stop, beforeExit, log, ready, signals = process } = deps;
  let isQuitting = false;
  let isFinal = false;
  let isPrepared = false;
  let code = 0;
  let stopping: Promise<void> | null = null;
  let closing: NodeJS.Timeout | null = null;

  const stopOnce = (): Promise<void> => {
    const limit = new Promise<void>((resolve) => {
      setTimeout(resolve, STOP_LIMIT_MS).unref();
    });
    stopping ??= Promise.race([stop(), limit]).catch((error: unknown) =>
      log(`Stopping failed: ${String(error)}`),
    );
    return stopping;
  };

  let isExiting = false;
  async function exit(): Promise<void> {
    await stopOnce();
    if (isExiting) return;
    isExiting = true;
    if (!isPrepared) beforeExit?.();
    deps.exit(code);
  }

  function noLongerClosing(): void {
    if (closing !== null) clearTimeout(closing);
    closing = null;
  }

  function begin(): void {
    isQuitting = true;
    closing ??= setTimeout(() => {
      log('A window did not close. Not waiting for it.');
      void exit();
    }, WINDOWS_LIMIT_MS);
  }

  app.on('before-quit', begin);
  app.on('will-quit', (event) => {
    event.preventDefault();
    isFinal = true;
    noLongerClosing();
    void exit();
  });

  function quit(exitCode = 0): void {
    code ||= exitCode;
    isFinal ||= exitCode !== 0;
    begin();
    app.quit();
  }

  function end(): void {
    isFinal = true;
    isPrepared = false;
    quit();
    // Nobody is asked any more, so the service needs not wait for the windows, nor the process for longer than the service.
    void exit();
  }

  // Elsewhere than on Windows the system waits for those who ask it to; there the windows are asked (desktop.ts).
  powerMonitor.on('shutdown', (event?: { preventDefault: () => void }) => {
    event?.preventDefault();
    end();
  });
  void ready.then(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) signals.on(signal, end);
  });

  return {
    isQuitting: () => isQuitting,
    isFinal: () => isFinal,
    quit,
    end,
    stay() {
      if (isFinal) return;
      isQuitting = false;
      noLongerClosing();
    },
    prepare() {
      isQuitting = true;
      isFinal = true;
      isPrepared = true;
      return stopOnce();
    },
  };
}
