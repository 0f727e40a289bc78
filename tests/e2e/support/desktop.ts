import { expect, test as base, type ConsoleMessage, type Page, type Request } from '@playwright/test';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDesk, type Desk } from '../../support/electron/desk.ts';
import { preparedRuntime, giveTo } from '../../support/electron/runtime.ts';
import type { Ended } from '../../support/electron/start.ts';
import type { Faults, MenuEntry, Probe, ProbedCall } from './desktop-probe.ts';
import { startMain, type MainFunction, type MainProcess } from './desktop-runtime.ts';
import { ChatPage } from './test.ts';

declare global {
  /** Run in the main process. */
  var parleyProbe: Probe;
}

export interface LaunchOptions {
  /** Added to those of every start. */
  args?: string[];
  env?: Record<string, string>;
  /** Whether the Linux desktop shows tray icons; it does unless told otherwise. */
  hasTrayHost?: boolean;
  /** An existing data folder; absent: a fresh one, removed after the test. */
  dataDir?: string;
  /** By a dialog's name, e.g. `dialog.showMessageBox`, its answer from the start on; `open`: it waits for `settle`. */
  answers?: Record<string, unknown[]>;
  faults?: Faults;
}

const EXIT_TIMEOUT_MS = 40_000;
const LOOK_EVERY_MS = 50;
const MAIN_PAGE = /^http:\/\/127\.0\.0\.1:\d+\/(?!#\/quick-ask)/;

/** A started desktop app. */
export class Desktop {
  readonly dataDir: string;
  /** Console errors of its pages, uncaught ones too. */
  readonly errors: string[] = [];
  /** Errors that a test causes on purpose. */
  readonly expected: RegExp[] = [];
  readonly #main: MainProcess;
  readonly #requests: string[] = [];
  /** Pages report errors while they are being closed; those don't count. */
  #isEnding = false;

  constructor(main: MainProcess, dataDir: string) {
    this.#main = main;
    this.dataDir = dataDir;
    void main.pages.then(
      (context) => {
        for (const page of context.pages()) this.#watch(page);
        context.on('page', (page) => this.#watch(page));
      },
      () => undefined,
    );
  }

  // The process

  get process(): MainProcess['process'] {
    return this.#main.process;
  }
  /** Everything that it has printed. */
  get output(): string {
    return this.#main.output();
  }
  /** Settles when it has ended, in any way. */
  get ended(): Promise<Ended> {
    return this.#main.ended;
  }
  /** Runs a function in the main process; it gets Electron's module, and can't use anything from its surroundings. */
  evaluate<R>(fn: MainFunction<undefined, R>): Promise<R>;
  evaluate<R, A>(fn: MainFunction<A, R>, arg: A): Promise<R>;
  evaluate<R, A>(fn: MainFunction<A, R>, arg?: A): Promise<R> {
    return this.#main.evaluate(fn, arg as A);
  }
  /** Runs a script in the first window's page; null unless it answers: a page that is crashing never does. */
  inPage(script: string): Promise<unknown> {
    return this.evaluate(
      ({ BrowserWindow }, code) =>
        Promise.race([
          BrowserWindow.getAllWindows()[0]
            ?.webContents.executeJavaScript(code)
            .catch(() => null),
          new Promise((resolve) => setTimeout(resolve, 1_000, null)),
        ]),
      script,
    );
  }
  /** Quits it as a person would; resolves with how it ended. */
  async quit(): Promise<Ended> {
    await this.evaluate(({ app }) => app.quit()).catch(() => undefined);
    const ended = await Promise.race([this.ended, pause(EXIT_TIMEOUT_MS, null)]);
    if (ended === null) throw new Error(`The app did not quit within ${EXIT_TIMEOUT_MS} ms:\n${this.output}`);
    return ended;
  }
  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    this.#isEnding = true;
    this.process.kill('SIGKILL');
    await this.ended;
    await this.#main.disconnect();
  }

  // Windows

  /** The pages of its windows. */
  async windows(): Promise<Page[]> {
    return (await this.#main.pages).pages();
  }
  /** The first page whose address passes, once there is one. */
  async waitForWindow(passes: (url: string) => boolean): Promise<Page> {
    const deadline = performance.now() + EXIT_TIMEOUT_MS;
    for (;;) {
      const found = (await this.windows()).find((page) => passes(page.url()));
      if (found !== undefined) return found;
      if (performance.now() > deadline) throw new Error(`No such window:\n${this.output}`);
      await pause(LOOK_EVERY_MS);
    }
  }
  /** The main window's page. */
  page(): Promise<Page> {
    return this.waitForWindow((url) => MAIN_PAGE.test(url));
  }
  /** The parts of the main window's page, once it can be used. */
  async chat(): Promise<ChatPage> {
    const chat = new ChatPage(await this.page());
    await expect(chat.message).toBeVisible();
    return chat;
  }
  /** Address of the service, without a slash at its end. */
  async origin(): Promise<string> {
    return new URL((await this.page()).url()).origin;
  }

  // Outside the windows

  /** The calls by that name that would have left the app, e.g. `shell.openExternal`: the arguments of each. */
  async calls(name: string): Promise<unknown[][]> {
    const all: ProbedCall[] = await this.evaluate(() => globalThis.parleyProbe.calls);
    return all.filter((call) => call.name === name).map(({ args }) => args);
  }
  /** Sets a dialog's next answer, e.g. `dialog.showMessageBox` with `{ response: 1 }`. */
  answer(name: string, value: unknown): Promise<void> {
    return this.evaluate(
      (_electron, [dialog, next]) => {
        (globalThis.parleyProbe.answers[dialog] ??= []).push(next);
      },
      [name, value] as const,
    );
  }
  /** Answers an open dialog, as soon as it is open. */
  async settle(name: string, value: unknown): Promise<void> {
    await expect
      .poll(() =>
        this.evaluate((_electron, [dialog, given]) => globalThis.parleyProbe.settle(dialog, given), [
          name,
          value,
        ] as const),
      )
      .toBe(true);
  }
  /** The notifications that were shown, oldest first. */
  notifications(): Promise<{ title: string; body: string }[]> {
    return this.evaluate(() =>
      globalThis.parleyProbe.notifications.map(({ title, body }) => ({ title, body })),
    );
  }
  async clickNotification(index: number): Promise<void> {
    await this.evaluate((_electron, at) => {
      globalThis.parleyProbe.notifications[at]?.emit('click', {});
    }, index);
  }
  /** The app's system-wide shortcuts. */
  shortcuts(): Promise<string[]> {
    return this.evaluate(() => [...globalThis.parleyProbe.shortcuts.keys()]);
  }
  /** Presses a system-wide shortcut of the app. */
  async press(accelerator: string): Promise<void> {
    const isTaken = await this.evaluate((_electron, keys) => {
      const callback = globalThis.parleyProbe.shortcuts.get(keys);
      callback?.();
      return callback !== undefined;
    }, accelerator);
    expect(isTaken, `${accelerator} is a shortcut of the app`).toBe(true);
  }
  /** The tray icon; null: there is none. */
  tray(): Promise<{ toolTip: string; menu: MenuEntry[] } | null> {
    return this.evaluate(() => {
      const { trays, entries } = globalThis.parleyProbe;
      const [tray] = trays.values();
      return tray === undefined ? null : { toolTip: tray.toolTip, menu: entries(tray.menu) };
    });
  }
  /** The application's menu, or the context menu that was shown last. */
  menu(which: 'application' | 'popup' = 'application'): Promise<MenuEntry[]> {
    return this.evaluate(({ Menu }, name) => {
      const { entries, popup } = globalThis.parleyProbe;
      return entries(name === 'popup' ? popup : Menu.getApplicationMenu());
    }, which);
  }
  /** Chooses an item by its labels from the top of a menu down. */
  async choose(which: 'application' | 'popup' | 'tray', ...labels: string[]): Promise<void> {
    const chosen = await this.evaluate(
      ({ BrowserWindow, Menu }, [name, path]) => {
        const { popup, trays } = globalThis.parleyProbe;
        const menus = {
          application: Menu.getApplicationMenu(),
          popup,
          tray: [...trays.values()][0]?.menu ?? null,
        };
        let items: Electron.MenuItem[] = menus[name]?.items ?? [];
        let item: Electron.MenuItem | undefined;
        for (const label of path) {
          item = items.find((one) => one.label === label);
          items = item?.submenu?.items ?? [];
        }
        if (item === undefined || !item.enabled) return false;
        const window = BrowserWindow.getFocusedWindow() ?? undefined;
        (item.click as (...args: unknown[]) => void)({}, window, window?.webContents);
        return true;
      },
      [which, labels] as const,
    );
    expect(chosen, `${labels.join(' › ')} can be chosen`).toBe(true);
  }

  // For the fixture

  /** Errors in its pages that nobody would see. */
  async check(): Promise<void> {
    const [first] = this.#requests;
    const origin = first === undefined ? '' : new URL(first).origin;
    expect(
      // Chromium's PDF viewer is an extension of its own.
      this.#requests.filter((url) => !url.startsWith(`${origin}/`) && !/^chrome(-extension)?:/.test(url)),
      'requests to another origin',
    ).toEqual([]);
    expect(
      this.errors.filter((text) => !this.expected.some((known) => known.test(text))),
      'errors in the page',
    ).toEqual([]);
  }
  async dispose(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.kill();
    await this.#main.disconnect();
  }

  #watch(page: Page): void {
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error' && !this.#isEnding) this.errors.push(message.text());
    });
    page.on('pageerror', (error) => this.errors.push(String(error)));
    const note = (request: Request): void => {
      if (/^(?!about:|blob:|data:)/.test(request.url())) this.#requests.push(request.url());
    };
    // A page that the app keeps from leaving has requested nothing: only an answer shows that it left.
    page.on('request', (request) => {
      if (!request.isNavigationRequest()) note(request);
    });
    page.on('response', (response) => {
      if (response.request().isNavigationRequest()) note(response.request());
    });
  }
}

export type Launch = (options?: LaunchOptions) => Promise<Desktop>;

interface Fixtures {
  /** Starts the app; it is ended, checked and removed after the test. */
  launch: Launch;
  /** A folder of the app's user, removed after the test. */
  folder: string;
}
interface WorkerFixtures {
  /** Where the windows open; null: there is no Electron. */
  desk: Desk | null;
}

/** Makes something that a test wrote the app's user's, where that is another. */
async function give(path: string): Promise<void> {
  const runtime = preparedRuntime();
  if (!('missing' in runtime) && existsSync(path)) await giveTo(runtime.user, path);
}

/** Each test starts the app itself, as often as it needs. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  desk: [
    async ({}, use) => {
      const runtime = preparedRuntime();
      const desk = 'missing' in runtime ? null : await openDesk(runtime.user);
      await use(desk);
      await desk?.close();
    },
    { scope: 'worker' },
  ],
  folder: async ({}, use) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-desktop-folder-')));
    await give(folder);
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  launch: async ({ desk, folder: _after }, use, testInfo) => {
    const runtime = preparedRuntime();
    if ('missing' in runtime || desk === null) {
      testInfo.skip(true, 'missing' in runtime ? runtime.missing : '');
      return;
    }
    const started: Desktop[] = [];
    const folders: string[] = [];
    await use(
      async ({ args = [], env = {}, dataDir, answers = {}, faults = {}, hasTrayHost = true } = {}) => {
        const scratch = await mkdtemp(join(tmpdir(), 'parley-desktop-'));
        folders.push(scratch);
        await mkdir(join(scratch, 'config'));
        const bin = join(scratch, 'bin');
        await mkdir(bin);
        await writeFile(join(bin, 'gdbus'), `#!/bin/sh\necho '(<${hasTrayHost}>,)'\n`, { mode: 0o755 });
        if (dataDir !== undefined) await give(dataDir);
        const data = dataDir ?? join(scratch, 'data');
        const main = await startMain({
          runtime,
          desk,
          scratch,
          args: [`--data-dir=${data}`, '--port=0', ...args],
          env: {
            XDG_CONFIG_HOME: join(scratch, 'config'),
            PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
            ...env,
          },
          answers,
          faults,
        });
        const desktop = new Desktop(main, data);
        started.push(desktop);
        return desktop;
      },
    );
    for (const desktop of started) await desktop.dispose();
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    for (const desktop of started) await desktop.check();
  },
});

export { expect };
