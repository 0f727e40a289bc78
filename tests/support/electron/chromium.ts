/**
 * The one Chromium behind all windows, spoken to over its debugging pipe: it ends when this process ends, however that
 * happens. A debugging port is open as well, on loopback, for the test's own connection.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ADDRESS_BAR_PAGES } from '../chromium-features.ts';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const PORT_FILE = 'DevToolsActivePort';
const PORT_POLL_MS = 20;

const SWITCHES = [
  '--headless',
  '--no-sandbox',
  '--remote-debugging-pipe',
  '--remote-debugging-port=0',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-popup-blocking',
  '--disable-renderer-backgrounding',
  '--disable-sync',
  '--hide-scrollbars',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  // Frames of other origins stay in their page's process, so that one debugging session sees them all.
  '--disable-site-isolation-trials',
  `--disable-features=IsolateOrigins,site-per-process,IsolateSandboxedIframes,Translate,MediaRouter,OptimizationHints,${ADDRESS_BAR_PAGES.join(',')}`,
];

type Params = Record<string, unknown>;
type Listener = (params: never) => void;
interface Incoming {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Params;
  result?: unknown;
  error?: { message: string };
}

/** One debugging session, with the browser itself or with a page. */
export interface Session {
  send<T = unknown>(method: string, params?: Params): Promise<T>;
  /** The listener's parameter declares the event's shape. */
  on(method: string, listener: Listener): void;
}

export class Chromium implements Session {
  readonly #process: ChildProcess;
  readonly #toBrowser: Writable;
  readonly #profile: string;
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  readonly #listeners = new Map<string, Listener[]>();
  #lastId = 0;

  constructor(profile: string, executable: string, locale: string) {
    mkdirSync(profile, { recursive: true });
    rmSync(join(profile, PORT_FILE), { force: true });
    this.#profile = profile;
    this.#process = spawn(executable, [...SWITCHES, `--user-data-dir=${profile}`, `--lang=${locale}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#toBrowser = this.#process.stdio[3] as Writable;
    this.#toBrowser.on('error', () => undefined);
    let unread = '';
    (this.#process.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (unread + text).split('\0');
      unread = messages.pop() ?? '';
      for (const message of messages) this.#receive(JSON.parse(message) as Incoming);
    });
    this.#process.once('exit', () => this.#fail());
    this.#process.once('error', () => this.#fail());
  }

  send<T = unknown>(method: string, params: Params = {}, sessionId?: string): Promise<T> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
  }

  on(method: string, listener: Listener, sessionId = ''): void {
    const key = `${sessionId} ${method}`;
    this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), listener]);
  }

  session(sessionId: string): Session {
    return {
      send: (method, params) => this.send(method, params, sessionId),
      on: (method, listener) => this.on(method, listener, sessionId),
    };
  }

  /** The address for the test's own debugging connection. */
  async endpoint(): Promise<string> {
    const file = join(this.#profile, PORT_FILE);
    while (!existsSync(file)) await pause(PORT_POLL_MS);
    const [port, path] = (await readFile(file, 'utf8')).split('\n');
    return path === undefined ? this.endpoint() : `ws://127.0.0.1:${port}${path}`;
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => this.#process.once('exit', () => resolve()));
    this.send('Browser.close').catch(() => undefined);
    await Promise.race([ended, pause(3_000)]);
    this.#process.kill('SIGKILL');
  }

  #receive({ id, sessionId, method, params, result, error }: Incoming): void {
    if (id === undefined) {
      for (const listener of this.#listeners.get(`${sessionId ?? ''} ${method}`) ?? [])
        listener(params as never);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result as never);
    else waiting?.reject(new Error(error.message));
  }

  #fail(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('Chromium has ended.'));
    this.#waiting.clear();
  }
}

/** The system's Chromium where there is one; Playwright's own elsewhere. */
export async function chromiumPath(): Promise<string> {
  if (existsSync(SYSTEM_CHROMIUM)) return SYSTEM_CHROMIUM;
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}
