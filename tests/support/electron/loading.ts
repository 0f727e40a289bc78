import { app } from './app.ts';
import { browser } from './boot.ts';
import type { Session } from './chromium.ts';
import { createEvent } from './events.ts';
import type { CdpFrame } from './frame-tree.ts';
import type { Navigations } from './navigation.ts';
import { loadFailure } from './net-errors.ts';
import type { Page } from './page.ts';
import { applyPermissions } from './permissions.ts';
import type { WebContents } from './web-contents.ts';

interface Lifecycle {
  frameId: string;
  name: string;
}

/** A page's loads and how they end, reported as Electron does. */
export class Loading {
  isLoading = false;
  isCrashed = false;
  readonly #contents: WebContents;
  readonly #navigations: Navigations;
  #failed = false;

  constructor(contents: WebContents, navigations: Navigations) {
    this.#contents = contents;
    this.#navigations = navigations;
  }

  watch(session: Session, mainFrameId: string): void {
    const contents = this.#contents;
    session.on('Page.lifecycleEvent', ({ frameId, name }: Lifecycle) => {
      if (frameId !== mainFrameId || contents.getURL() === '') return;
      if (name === 'DOMContentLoaded') contents.emit('dom-ready', createEvent());
      if (name === 'firstPaint') contents.emit('standInPainted');
      if (name === 'load') this.#loaded();
    });
    session.on('Page.frameNavigated', ({ frame }: { frame: CdpFrame }) => {
      if (frame.id !== mainFrameId) return;
      this.isCrashed = false;
      if (frame.unreachableUrl === undefined)
        contents.emit('did-navigate', createEvent(), contents.getURL(), 200, 'OK');
      else this.#failed = true;
      if (frame.url.startsWith('http'))
        applyPermissions(browser(), contents.session, contents, frame.url).catch(() => undefined);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }: { frameId: string; url: string }) =>
      contents.emit('did-navigate-in-page', createEvent(), url, frameId === mainFrameId, contents.id, 0),
    );
    session.on('Inspector.targetCrashed', () => {
      this.isCrashed = true;
      const details = { reason: 'crashed', exitCode: 5 };
      contents.emit('render-process-gone', createEvent(), details);
      app.emit('render-process-gone', createEvent(), contents, details);
    });
  }

  /** Resolves when it is loaded, and rejects as `loadURL` does. */
  async load(page: Page, url: string): Promise<void> {
    const contents = this.#contents;
    const session = await page.opened;
    this.isLoading = true;
    contents.emit('did-start-loading', createEvent());
    this.#navigations.expected = url;
    const finished = new Promise<void>((resolve, reject) => {
      contents.once('did-stop-loading', resolve);
      contents.once('destroyed', () => reject(loadFailure('net::ERR_ABORTED', url)));
    });
    finished.catch(() => undefined);
    const { errorText } = await session.send<{ errorText?: string }>('Page.navigate', { url });
    this.#navigations.expected = null;
    if (errorText !== undefined && errorText !== '') {
      this.#failed = false;
      const failure = loadFailure(errorText, url);
      contents.emit('did-fail-load', createEvent(), failure.errno, failure.code, url, true, contents.id, 0);
      throw failure;
    }
    await finished;
  }

  #loaded(): void {
    const contents = this.#contents;
    if (this.#failed) {
      this.#failed = false;
      contents.emit(
        'did-fail-load',
        createEvent(),
        -2,
        'ERR_FAILED',
        contents.getURL(),
        true,
        contents.id,
        0,
      );
    } else {
      contents.emit('did-frame-finish-load', createEvent(), true, contents.id, 0);
      contents.emit('did-finish-load', createEvent());
    }
    this.isLoading = false;
    contents.emit('did-stop-loading', createEvent());
  }
}
