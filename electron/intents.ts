/**
 * What the app is asked from outside: by its own start, by a second start, by a link. It may come before there is anything
 * to do it with, so it waits until somebody takes it.
 */
import type { App } from 'electron';
import { readArguments, type Arguments } from './arguments.ts';

/** What is wanted: the window, what a link names, or (after a hidden start) nothing to be seen. */
export type Intent = { kind: 'show' } | { kind: 'link'; address: string } | { kind: 'stay_hidden' };

/** What the app is asked, from before it is ready on. */
export interface Intents {
  /** Has every intent done, first those that waited. Once. */
  follow(act: (intent: Intent) => void): void;
}

const intentOf = ({ link, hidden }: Pick<Arguments, 'link' | 'hidden'>): Intent => {
  if (link !== null) return { kind: 'link', address: link };
  return hidden ? { kind: 'stay_hidden' } : { kind: 'show' };
};

/** Listens from now on; call it before the app is ready. */
export function createIntents(app: Pick<App, 'on'>, own: Arguments): Intents {
  let act: ((intent: Intent) => void) | null = null;
  const waiting: Intent[] = [intentOf(own)];
  const take = (intent: Intent): void => {
    if (act === null) waiting.push(intent);
    else act(intent);
  };

  app.on('second-instance', (_event, _argv, _folder, data) => {
    take(intentOf(readOthers(data) ?? { link: null, hidden: false }));
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
