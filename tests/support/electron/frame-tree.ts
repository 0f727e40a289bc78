import type { Session } from './chromium.ts';
import { type FrameHost, WebFrameMain } from './web-frame-main.ts';

export interface CdpFrame {
  id: string;
  parentId?: string;
  name?: string;
  url: string;
  urlFragment?: string;
  unreachableUrl?: string;
  securityOrigin: string;
}

interface Context {
  id: number;
  auxData?: { frameId: string; isDefault: boolean };
  name: string;
}

/** The frames of one page and the JavaScript worlds in them, as the browser reports them. */
export class FrameTree {
  readonly main: WebFrameMain;
  readonly #host: FrameHost;
  readonly #frames = new Map<string, WebFrameMain>();
  readonly #contexts = new Map<number, Context>();

  constructor(host: FrameHost) {
    this.#host = host;
    this.main = new WebFrameMain(host, null);
  }

  frame(cdpId: string): WebFrameMain | undefined {
    return this.#frames.get(cdpId);
  }

  /** The frame of a JavaScript world. */
  frameOfContext(contextId: number): WebFrameMain | undefined {
    return this.#frames.get(this.#contexts.get(contextId)?.auxData?.frameId ?? '');
  }

  /** A frame's own world, or one with the given name. */
  context(frame: WebFrameMain, world?: string): number | undefined {
    return [...this.#contexts.values()]
      .filter(({ name, auxData }) => (world === undefined ? auxData?.isDefault : name === world))
      .findLast(({ auxData }) => this.#frames.get(auxData?.frameId ?? '') === frame)?.id;
  }

  /** Must be called before the page's domains are enabled. */
  watch(session: Session, mainFrameId: string): void {
    this.#frames.set(mainFrameId, this.main);
    session.on(
      'Page.frameAttached',
      ({ frameId, parentFrameId }: { frameId: string; parentFrameId: string }) => {
        const parent = this.#frames.get(parentFrameId);
        if (parent !== undefined && !this.#frames.has(frameId))
          this.#frames.set(frameId, new WebFrameMain(this.#host, parent));
      },
    );
    session.on('Page.frameDetached', ({ frameId, reason }: { frameId: string; reason: string }) => {
      if (reason === 'swap') return;
      this.#frames.get(frameId)?.standInDetach();
      this.#frames.delete(frameId);
    });
    session.on('Page.frameNavigated', ({ frame }: { frame: CdpFrame }) => {
      const known = this.#frames.get(frame.id);
      if (known === undefined) return;
      // The browser doesn't report each frame that went with its page.
      for (const child of known.frames) child.standInDetach();
      known.url = frame.unreachableUrl ?? frame.url + (frame.urlFragment ?? '');
      known.origin = frame.securityOrigin === '://' ? 'null' : frame.securityOrigin;
      known.name = frame.name ?? '';
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }: { frameId: string; url: string }) => {
      const known = this.#frames.get(frameId);
      if (known !== undefined) known.url = url;
    });
    session.on('Runtime.executionContextCreated', ({ context }: { context: Context }) =>
      this.#contexts.set(context.id, context),
    );
    session.on(
      'Runtime.executionContextDestroyed',
      ({ executionContextId }: { executionContextId: number }) => this.#contexts.delete(executionContextId),
    );
    session.on('Runtime.executionContextsCleared', () => this.#contexts.clear());
  }
}
