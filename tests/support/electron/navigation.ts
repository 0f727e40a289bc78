/** Holds each of a page's navigations in the browser until the app has been asked. */
import type { EventEmitter } from 'node:events';
import type { Session } from './chromium.ts';
import { createEvent } from './events.ts';
import type { FrameTree } from './frame-tree.ts';
import type { WebFrameMain } from './web-frame-main.ts';

interface PausedRequest {
  requestId: string;
  redirectedRequestId?: string;
  request: { url: string; urlFragment?: string; method: string; headers: Record<string, string> };
  frameId: string;
  resourceType: string;
}

/** Decides on requests, as `session.webRequest.onBeforeRequest` would. */
export interface RequestFilter {
  /** Whether requests of all kinds must be asked about; else only documents are. */
  readonly active: boolean;
  decide(details: object): Promise<{ cancel?: boolean; redirectURL?: string }>;
}

export class Navigations {
  /** Set while the app itself loads something: that isn't asked about. */
  expected: string | null = null;
  readonly #contents: EventEmitter;
  readonly #frames: FrameTree;
  readonly #filter: RequestFilter;

  constructor(contents: EventEmitter, frames: FrameTree, filter: RequestFilter) {
    this.#contents = contents;
    this.#frames = frames;
    this.#filter = filter;
  }

  async watch(session: Session): Promise<void> {
    session.on('Fetch.requestPaused', (paused: PausedRequest) => {
      this.#decide(session, paused).catch(() => undefined);
    });
    // Documents without a network scheme can't be held; the app is told anyway.
    session.on('Page.frameRequestedNavigation', ({ frameId, url }: { frameId: string; url: string }) => {
      const frame = this.#frames.frame(frameId);
      if (frame !== undefined && !/^(?:https?|file|data|about:srcdoc)/.test(url)) this.#ask(frame, url);
    });
    await this.update(session);
  }

  /** To be called whenever the filter has become active. */
  async update(session: Session): Promise<void> {
    const patterns = this.#filter.active ? [{}] : [{ resourceType: 'Document' }];
    await session.send('Fetch.enable', { patterns });
  }

  async #decide(session: Session, paused: PausedRequest): Promise<void> {
    const { requestId, request } = paused;
    const url = request.url + (request.urlFragment ?? '');
    if (paused.resourceType === 'Document' && this.#prevented(paused, url)) {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    const answer = this.#filter.active
      ? await this.#filter.decide({
          url: request.url,
          method: request.method,
          resourceType: paused.resourceType,
        })
      : {};
    if (answer.cancel === true)
      await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    else
      await session.send('Fetch.continueRequest', {
        requestId,
        ...(answer.redirectURL && { url: answer.redirectURL }),
      });
  }

  #prevented(paused: PausedRequest, url: string): boolean {
    const frame = this.#frames.frame(paused.frameId);
    if (frame === undefined) return false;
    const isMainFrame = frame === this.#frames.main;
    if (paused.redirectedRequestId !== undefined)
      return this.#emit('will-redirect', { url, isSameDocument: false, isMainFrame, frame });
    const isExpected = isMainFrame && this.expected !== null;
    if (isExpected) this.expected = null;
    else if (this.#ask(frame, url)) return true;
    this.#emit('did-start-navigation', { url, isSameDocument: false, isMainFrame, frame, initiator: frame });
    return false;
  }

  #ask(frame: WebFrameMain, url: string): boolean {
    const isMainFrame = frame === this.#frames.main;
    const details = { url, isSameDocument: false, isMainFrame, frame, initiator: frame };
    const prevented = this.#emit('will-frame-navigate', details);
    return (isMainFrame && this.#emit('will-navigate', details)) || prevented;
  }

  #emit(name: string, details: { url: string; isMainFrame: boolean } & Record<string, unknown>): boolean {
    const event = createEvent(details);
    this.#contents.emit(name, event, details.url, false, details.isMainFrame);
    return event.defaultPrevented;
  }
}
