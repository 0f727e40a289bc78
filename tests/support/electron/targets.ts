/** The browser's pages: each belongs to a window of the app, and any other is closed at once. */
import type { Chromium, Session } from './chromium.ts';

interface Created {
  targetInfo: { targetId: string; type: string };
}

export interface PageTarget {
  targetId: string;
  session: Session;
}

const owned = new Set<string>();
const closed = new Set<string>();
const UNHELD_AFTER_MS = 250;

/** To be called once, before the first page is made. */
export async function guardTargets(chromium: Chromium): Promise<void> {
  chromium.on('Target.targetCreated', ({ targetInfo: { targetId, type } }: Created) => {
    if (type !== 'page') return;
    // By then a page of ours is known, and one that is held before its start has been closed by its opener's session:
    // closing a held page twice makes the browser hang.
    setTimeout(() => {
      if (!owned.has(targetId) && !closed.has(targetId)) closeForeign(chromium, targetId);
    }, UNHELD_AFTER_MS);
  });
  await chromium.send('Target.setDiscoverTargets', { discover: true });
}

/** A page in a window of its own. */
export async function createPageTarget(chromium: Chromium, size: Electron.Size): Promise<PageTarget> {
  const created = chromium
    .send<{ targetId: string }>('Target.createTarget', { url: 'about:blank', newWindow: true, ...size })
    .then(({ targetId }) => {
      owned.add(targetId);
      return targetId;
    });
  const targetId = await created;
  const { sessionId } = await chromium.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  return { targetId, session: chromium.session(sessionId) };
}

/** Closes a page that isn't the app's. */
export function closeForeign(chromium: Chromium, targetId: string): void {
  closed.add(targetId);
  chromium.send('Target.closeTarget', { targetId }).catch(() => undefined);
}
