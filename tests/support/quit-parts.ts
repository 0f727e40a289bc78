import { EventEmitter } from 'node:events';
import type { App, PowerMonitor } from 'electron';
import { setupQuit, type Quit } from '../../electron/quit.ts';

/** Quitting, with everything it uses controlled by a test. */
export interface QuitParts {
  quit: Quit;
  app: EventEmitter;
  powerMonitor: EventEmitter;
  signals: EventEmitter;
  /** Has Electron get ready. */
  becomeReady: () => Promise<void>;
  /** Exit codes that the process would have ended with. */
  exited: number[];
  /** Chromium's switches that are set. */
  switches: ReadonlySet<string>;
  lines: string[];
  /** Settles the stopping of the service. */
  stopped: PromiseWithResolvers<undefined>;
  /** Whether windows close when the app quits; they do unless said otherwise. */
  windows: { close: boolean };
  /** How often the last thing before the end was done. */
  lastThings: () => number;
  /** How often the service was told to stop. */
  stops: () => number;
}

/** Sets up quitting; an app that is told to quit has no windows and goes on to `will-quit` at once. */
export function createQuitParts(): QuitParts {
  const exited: number[] = [];
  const switches = new Set<string>();
  const lines: string[] = [];
  const stopped = Promise.withResolvers<undefined>();
  let stops = 0;
  let lastThings = 0;
  const windows = { close: true };
  const app = new EventEmitter();
  const quittable = Object.assign(app, {
    commandLine: {
      appendSwitch: (name: string) => void switches.add(name),
      removeSwitch: (name: string) => void switches.delete(name),
    },
    quit: () => {
      app.emit('before-quit', { preventDefault: () => undefined });
      if (windows.close) app.emit('will-quit', { preventDefault: () => undefined });
    },
  });
  const powerMonitor = new EventEmitter();
  const signals = new EventEmitter();
  const ready = Promise.withResolvers<undefined>();
  const quit = setupQuit({
    app: quittable as unknown as App,
    powerMonitor: powerMonitor as unknown as PowerMonitor,
    stop: () => {
      stops += 1;
      return stopped.promise;
    },
    beforeExit: () => void (lastThings += 1),
    exit: (code) => void exited.push(code),
    log: (line) => void lines.push(line),
    ready: ready.promise,
    signals,
  });
  return {
    quit,
    app,
    powerMonitor,
    signals,
    becomeReady: async () => {
      ready.resolve(undefined);
      await ready.promise;
    },
    exited,
    switches,
    lines,
    stopped,
    stops: () => stops,
    windows,
    lastThings: () => lastThings,
  };
}
