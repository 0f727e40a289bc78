/**
 * Requests from outside: the app's own start, a second start, or a link. They may come before the app can act on them, so they wait.
 */
import type { App } from 'electron';
import { readArguments, type Arguments } from './arguments.ts';

/** What is wanted: the window as it is at a start (which may be a hidden one), the window, or what a link names. */
export type Intent = { kind: 'start' } | { kind: 'show' } | { kind: 'link'; address: string };

/** What the app is asked, from before it is ready on. */
export interface Intents {
  /** Has every intent done, first those that waited. Once. */
  follow(act: (intent: Intent) => void): void;
}

const intentOf = (args: Arguments | null, otherwise: 'start' | 'show'): Intent =>
  args === null || args.link === null ? { kind: otherwise } : { kind: 'link', address: args.link };

/** Listens from now on; call it before the app is ready. */
export function createIntents(app: Pick<App, 'on'>, own: Arguments): Intents {
  let act: ((intent: Intent) => void) | null = null;
  const waiting: Intent[] = [intentOf(own, 'start')];
  const take = (intent: Intent): void => {
    if (act === null) waiting.push(intent);
    else act(intent);
  };

  app.on('second-instance', (_event, _argv, _folder, data) => {
    const others = readOthers(data);
    // Opened at login while it already runs: nothing to be seen.
    if (others === null || !others.hidden || others.link !== null) take(intentOf(others, 'show'));
  });
  // How a Mac hands links over.
  app.on('open-url', (event, address) => {
    event.preventDefault();
    take({ kind: 'link', address });
  });
  // A click on the dock's icon.
  app.on('activate', () => {
    // The first comes with the start itself, which says better what it wants.
    if (act !== null) take({ kind: 'show' });
  });

  return {
    follow(told) {
      act = told;
      for (const intent of waiting.splice(0)) told(intent);
    },
  };
}

/** Its arguments as it read them itself: those that Electron hands over have been put into another order. */
function readOthers(data: unknown): Arguments | null {
  const { argv } = (data ?? {}) as { argv?: unknown };
  if (!Array.isArray(argv)) return null;
  try {
    return readArguments(argv.map(String));
  } catch {
    return null;
  }
}
