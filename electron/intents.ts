/**
 * Requests from outside: the app's own start, a second start, or a link. They may come before the app can handle them, so they wait.
 */
import type { App } from 'electron';
import { attempt } from '../server/lib/attempt.ts';
import { readArguments, type Arguments } from './arguments.ts';

/** What is wanted: the window as at a start (which may be hidden), the window, or a link's target. */
export type Intent = { kind: 'start' } | { kind: 'show' } | { kind: 'link'; address: string };

/** Collects intents, even before the app is ready. */
export type Intents = ReturnType<typeof createIntents>;

const intentOf = (args: Arguments | null, otherwise: 'start' | 'show'): Intent =>
  args === null || args.link === null ? { kind: otherwise } : { kind: 'link', address: args.link };

/** Listens from now on; call it before the app is ready. */
export function createIntents(app: Pick<App, 'on'>, own: Arguments) {
  let act: ((intent: Intent) => void) | null = null;
  const waiting: Intent[] = [intentOf(own, 'start')];
  const take = (intent: Intent): void => {
    if (act === null) waiting.push(intent);
    else act(intent);
  };

  app.on('second-instance', (_event, _argv, _folder, data) => {
    const others = readOthers(data);
    // Opened at login while it is already running: nothing to show.
    if (others === null || !others.hidden || others.link !== null) take(intentOf(others, 'show'));
  });
  // How a Mac passes links.
  app.on('open-url', (event, address) => {
    event.preventDefault();
    take({ kind: 'link', address });
  });
  // A click on the dock's icon.
  app.on('activate', () => {
    // The first event comes with the start itself, which is handled already with more detail.
    if (act !== null) take({ kind: 'show' });
  });

  return {
    /** Handles every intent, starting with those that waited. Call once. */
    follow(told: (intent: Intent) => void): void {
      act = told;
      for (const intent of waiting.splice(0)) told(intent);
    },
  };
}

/** The second process's arguments as it parsed them: those that Electron passes on are reordered. */
function readOthers(data: unknown): Arguments | null {
  const { argv } = (data ?? {}) as { argv?: unknown };
  return Array.isArray(argv) ? attempt(() => readArguments(argv.map(String))) : null;
}
