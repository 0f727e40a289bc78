/** What each window is to the service. */
import type { WebContents } from 'electron';
import type { DesktopSession } from '../shared/ipc.ts';

/** One session for each window, the same again after a reload. */
export function createWindowSessions(open: () => DesktopSession): (contents: WebContents) => DesktopSession {
  const sessions = new WeakMap<WebContents, DesktopSession>();
  return (contents) => {
    const session = sessions.get(contents) ?? open();
    sessions.set(contents, session);
    return session;
  };
}
