/** Windows that pages want: the app is asked, and whatever it says, none opens. */
import { browser } from './boot.ts';
import type { Session } from './chromium.ts';
import { closeForeign } from './targets.ts';

export type WindowOpenHandler = (details: object) => { action: 'allow' | 'deny' };

interface Asked {
  url: string;
  windowName: string;
  windowFeatures: string[];
}

export class WindowOpen {
  handler: WindowOpenHandler | null = null;

  watch(session: Session, urlOfPage: () => string): void {
    session.on('Page.windowOpen', ({ url, windowName, windowFeatures }: Asked) => {
      const { action } = this.handler?.({
        url,
        frameName: windowName,
        features: windowFeatures.join(','),
        disposition: windowName === '_blank' ? 'foreground-tab' : 'new-window',
        referrer: { url: urlOfPage(), policy: 'strict-origin-when-cross-origin' },
      }) ?? { action: 'allow' };
      if (action === 'allow')
        process.emitWarning(
          `The stand-in for Electron opens no windows for pages; ${url} was allowed, and stays unopened.`,
        );
    });
    session.on(
      'Target.attachedToTarget',
      ({ targetInfo }: { targetInfo: { targetId: string; type: string } }) => {
        if (targetInfo.type === 'page') closeForeign(browser(), targetInfo.targetId);
      },
    );
  }
}
