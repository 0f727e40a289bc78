/**
 * Requests from outside: the app's own start, a second start, or a link. They may come before the app can handle them, so they wait.
 */
import type { App } from 'electron';
import { asksToHide, linkIn, TOO_LONG_LINK, type Arguments } from './arguments.ts';
import { parseLink } from './deep-links.ts';
import type { DesktopParts } from './desktop.ts';
import { toOpenChat } from './orders.ts';
import { words } from './words.ts';

/** What is wanted: the window as at a start (which may be hidden), the window, or a link's target. */
export type Intent = { kind: 'start' } | { kind: 'show' } | { kind: 'link'; address: string };

/** Collects intents, even before the app is ready. */
export type Intents = ReturnType<typeof createIntents>;

const intentOf = (link: string | null, otherwise: 'start' | 'show'): Intent =>
  link === null ? { kind: otherwise } : { kind: 'link', address: link };

/** Listens from now on; call it before the app is ready. */
export function createIntents(app: Pick<App, 'on'>, own: Arguments) {
  let act: ((intent: Intent) => void) | null = null;
  const waiting: Intent[] = [intentOf(own.link, 'start')];
  const take = (intent: Intent): void => {
    if (act === null) waiting.push(intent);
    else act(intent);
  };

  // Electron changes the order of a second process's arguments.
  app.on('second-instance', (_event, argv) => {
    const link = linkIn(argv);
    // Opened at login while it is already running: nothing to show.
    if (link !== null || !asksToHide(argv)) take(intentOf(link, 'show'));
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
    follow(handle: (intent: Intent) => void): void {
      act = handle;
      for (const intent of waiting.splice(0)) handle(intent);
    },
  };
}

/** Follows every intent from now on, starting with those that waited. */
export function followIntents(parts: DesktopParts): void {
  const { intents, service, main, quit, startAgain, isHidden, log } = parts;
  intents.follow((intent) => {
    const target = intent.kind === 'link' ? parseLink(intent.address) : null;
    // A person who starts it while it quits wants it to run.
    if (quit.isFinal()) startAgain(intent.kind === 'link' ? intent.address : null);
    else if (target?.kind === 'new') main.order({ type: 'compose', text: target.text });
    else if (target?.kind === 'chat') main.order(toOpenChat(target.chatId, service));
    else {
      if (intent.kind !== 'start' || !isHidden) main.show();
      if (intent.kind !== 'link') return;
      log('A link could not be followed.');
      main.notify(intent.address === TOO_LONG_LINK ? words.linkTooLong : words.linkUnknown);
    }
  });
}
