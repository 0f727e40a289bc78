/**
 * Quitting. Whatever triggers it (a menu, a signal, system shutdown), windows close, the service gets a limited time to finish
 * requests and close its store, and only then does the process end.
 */
import type { App, PowerMonitor } from 'electron';
import { withTimeout } from '../server/lib/with-timeout.ts';
import { END_SIGNALS } from '../server/process/end-signals.ts';

/** Quits the app. */
export type Quit = ReturnType<typeof setupQuit>;

/** The service's own limit is shorter; a hang must not hold up a system shutdown. */
const STOP_LIMIT_MS = 4_400;
/** Windows close at once; one whose page hangs is not waited for. */
const WINDOWS_LIMIT_MS = 3_000;
/**
 * A signal to the whole process group ends Chromium's own processes, too. It can't start the one for graphics again then, and
 * without this switch it would abort after a few tries, before the service has stopped.
 */
const PATIENT_WITH_GRAPHICS = 'disable-gpu-process-crash-limit';

/** Makes sure that the app never ends before its service has, and always soon after. Call it before the app is ready. */
export function setupQuit(deps: {
  app: Pick<App, 'on' | 'quit' | 'commandLine'>;
  powerMonitor: Pick<PowerMonitor, 'on'>;
  /** Stops everything that runs, within its own time limits; called once. */
  stop: () => Promise<void>;
  /** The last step before the process ends. */
  beforeExit?: () => void;
  /** Ends the process with a code. */
  exit: (code: number) => void;
  log: (line: string) => void;
  /** Resolves when Electron is ready. Until then, Electron replaces existing signal listeners; afterwards it leaves them alone. */
  ready: Promise<unknown>;
  /** Emits signals; this process unless given. */
  signals?: Pick<NodeJS.EventEmitter, 'on'>;
}) {
  const { app, powerMonitor, stop, beforeExit, log, ready, signals = process } = deps;
  let isQuitting = false;
  let isFinal = false;
  let code = 0;
  let exiting: Promise<void> | null = null;
  let closing: NodeJS.Timeout | null = null;

  async function stopAndExit(): Promise<void> {
    await withTimeout(STOP_LIMIT_MS, stop()).catch((error: unknown) =>
      log(`Stopping failed: ${String(error)}`),
    );
    beforeExit?.();
    deps.exit(code);
  }
  const exit = (): void => void (exiting ??= stopAndExit());

  function noLongerClosing(): void {
    if (closing !== null) clearTimeout(closing);
    closing = null;
  }

  function begin(): void {
    isQuitting = true;
    app.commandLine.appendSwitch(PATIENT_WITH_GRAPHICS);
    closing ??= setTimeout(() => {
      log('A window did not close. Not waiting for it.');
      exit();
    }, WINDOWS_LIMIT_MS);
  }

  app.on('before-quit', begin);
  app.on('will-quit', (event) => {
    event.preventDefault();
    isFinal = true;
    noLongerClosing();
    exit();
  });

  /** Quits the app with this exit code; 0 unless given. Any other code makes it final. */
  function quit(exitCode = 0): void {
    code ||= exitCode;
    isFinal ||= exitCode !== 0;
    begin();
    app.quit();
  }

  /** Like {@link quit}, but final. */
  function end(): void {
    isFinal = true;
    quit();
    // Nobody is asked any more, so the service needn't wait for the windows, nor the process for longer than the service.
    exit();
  }

  // Elsewhere than on Windows the system waits for programs that ask it to; on Windows the main window does that (main-window.ts).
  powerMonitor.on('shutdown', (event?: { preventDefault: () => void }) => {
    event?.preventDefault();
    end();
  });
  void ready.then(() => {
    for (const signal of END_SIGNALS) signals.on(signal, end);
  });

  return {
    /** True from the moment that windows may really close. */
    isQuitting: (): boolean => isQuitting,
    /** Whether nobody is asked any more: the system, a signal or a fault wants it, not a person. */
    isFinal: (): boolean => isFinal,
    quit,
    end,
    /** Quitting is called off, at least for now: a window stays open. No effect once it is final. */
    stay(): void {
      if (isFinal) return;
      isQuitting = false;
      app.commandLine.removeSwitch(PATIENT_WITH_GRAPHICS);
      noLongerClosing();
    },
  };
}
