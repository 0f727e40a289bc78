import { readFileSync } from 'node:fs';
import { browser } from './boot.ts';
import type { Session } from './chromium.ts';
import { nativeTheme } from './native-theme.ts';
import { BINDING, pageScripts, PRELOAD_WORLD } from './page-scripts.ts';
import { createPageTarget } from './targets.ts';

type Preferences = Electron.WebPreferences;

interface PageOptions {
  preferences: Preferences;
  size: Electron.Size;
  /** Begins to listen to the page, before anything happens in it. */
  watch: (session: Session, mainFrameId: string) => Promise<void>;
}

/** A page of the browser, from its making to its end, whatever it shows. */
export class Page {
  /** Rejects when it can't be made. */
  readonly opened: Promise<Session>;
  #size: Electron.Size;
  #zoomFactor = 1;
  #targetId = '';
  #closed = false;

  constructor({ preferences, size, watch }: PageOptions) {
    this.#size = size;
    this.opened = this.#open(preferences, watch);
    this.opened.catch((error: unknown) => {
      if (!this.#closed) process.emitWarning(`A window's page could not be made: ${String(error)}`);
    });
  }

  async #open(preferences: Preferences, watch: PageOptions['watch']): Promise<Session> {
    const { targetId, session } = await createPageTarget(browser(), this.#size);
    this.#targetId = targetId;
    await Promise.all([
      // The browser names a page and its main frame alike.
      watch(session, targetId),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: BINDING, executionContextName: PRELOAD_WORLD }),
      prepareDocuments(session, preferences),
      // Pages that a page opens stop before their first script, and are closed.
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      this.#apply(session),
      nativeTheme.standInEmulate(session),
    ]);
    return session;
  }

  /** Does something with it once it is there; nothing when it is gone. */
  with(act: (session: Session) => Promise<unknown>): void {
    this.opened.then(act).catch((error: unknown) => {
      if (!this.#closed) process.emitWarning(`In a window's page: ${String(error)}`);
    });
  }

  /** The value of an expression in one of its JavaScript worlds. */
  async evaluate(expression: string, world: () => number | undefined): Promise<unknown> {
    const session = await this.opened;
    const answer = await session.send<{
      result: { value: unknown };
      exceptionDetails?: { exception?: { description?: string } };
    }>('Runtime.evaluate', {
      expression,
      contextId: world(),
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? 'Script failed to execute');
    return answer.result.value;
  }

  /** In the pixels of its window. */
  resize(size: Electron.Size): void {
    this.#size = size;
    this.with((session) => this.#apply(session));
  }
  zoom(factor: number): void {
    this.#zoomFactor = factor;
    this.with((session) => this.#apply(session));
  }
  /** A zoomed page has fewer and larger pixels. */
  async #apply(session: Session): Promise<void> {
    const zoom = this.#zoomFactor;
    await session.send('Emulation.setDeviceMetricsOverride', {
      width: Math.round(this.#size.width / zoom),
      height: Math.round(this.#size.height / zoom),
      deviceScaleFactor: zoom === 1 ? 0 : zoom,
      mobile: false,
    });
  }

  close(): void {
    this.#closed = true;
    const close = (): void =>
      void browser()
        .send('Target.closeTarget', { targetId: this.#targetId })
        .catch(() => undefined);
    this.opened.then(close, close);
  }
}

/** Makes each new document start with the preload, and with the bridge between the two worlds. */
async function prepareDocuments(
  session: Session,
  { preload, additionalArguments = [] }: Preferences,
): Promise<void> {
  const scripts = pageScripts(preload === undefined ? '' : readFileSync(preload, 'utf8'), {
    argv: [process.execPath, '--type=renderer', ...additionalArguments],
    platform: process.platform,
    arch: process.arch,
    type: 'renderer',
    versions: { ...process.versions },
    env: {},
    sandboxed: true,
    contextIsolated: true,
    isMainFrame: true,
  });
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page });
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: scripts.preload,
    worldName: PRELOAD_WORLD,
  });
}
