import type { Service } from '../server/service.ts';
import { parseLink } from './deep-links.ts';
import type { Intents } from './intents.ts';
import type { MainWindow } from './main-window.ts';
import type { Quit } from './quit.ts';

/** What following intents works with. */
export interface FollowIntentsDeps {
  intents: Intents;
  main: Pick<MainWindow, 'show' | 'order'>;
  quit: Pick<Quit, 'isFinal'>;
  findWorkspaceOf: Service['findWorkspaceOf'];
  /** Started without showing a window. */
  isHidden: boolean;
  /** Restarts Parley once this process has ended, optionally with a link to follow. */
  startAgain: (link: string | null) => void;
  log: (line: string) => void;
}

/** Shows the window when a person starts Parley, and follows links, from now on. */
export function followIntents(deps: FollowIntentsDeps): void {
  const { intents, main, quit, findWorkspaceOf, isHidden, startAgain, log } = deps;

  function followLink(address: string): void {
    const target = parseLink(address);
    if (target === null) {
      log('A link could not be followed.');
      main.show();
    } else if (target.kind === 'new') {
      main.order({ type: 'compose', text: target.text });
    } else {
      const { chatId } = target;
      main.order({ type: 'open_chat', chatId, workspaceId: findWorkspaceOf(chatId) });
    }
  }

  intents.follow((intent) => {
    // A person who starts it while it quits wants it to run.
    if (quit.isFinal()) startAgain(intent.kind === 'link' ? intent.address : null);
    else if (intent.kind === 'link') followLink(intent.address);
    else if (intent.kind === 'show' || !isHidden) main.show();
  });
}
