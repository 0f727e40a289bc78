/** How the built desktop app is started: on the stand-in for Electron, or on Electron itself. */
import { _electron, chromium, type BrowserContext } from '@playwright/test';
import type * as Electron from 'electron';
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findRuntime } from '../../../electron/runtime.ts';
import type { FromStandIn } from '../../support/electron/control.ts';
import type { DesktopRuntime } from './desktop-options.ts';
import { installProbe } from './desktop-probe.ts';

/** Runs in the main process; sent there as source text, so it uses nothing from outside itself. */
export type MainFunction<A, R> = (electron: typeof Electron, arg: A) => R | Promise<R>;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A main process under way. */
export interface MainProcess {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Everything that it printed. */
  output: () => string;
  evaluate<A, R>(fn: MainFunction<A, R>, arg: A): Promise<R>;
  /** The browser's pages; rejects when the app ends before it has any. */
  pages: Promise<BrowserContext>;
  /** Lets go of the test's own connection. */
  disconnect: () => Promise<void>;
}

interface Start {
  /** A folder of this start's own. */
  scratch: string;
  args: string[];
  env: Record<string, string>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'out/main/main.js');
const REGISTER = join(ROOT, 'tests/support/electron/register.ts');
const BUNDLED_NODE = join(ROOT, 'node_modules/.bin/node');
const NODE = Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : BUNDLED_NODE;

/** Why specs can't run on a runtime here; null: they can. */
export const whyMissing = (runtime: DesktopRuntime): string | null =>
  runtime === 'stand-in' || findRuntime() !== null ? null : "Electron's runtime isn't installed here";

export function startMain(runtime: DesktopRuntime, start: Start): Promise<MainProcess> {
  const probe = join(start.scratch, 'probe.cjs');
  writeFileSync(probe, `(${installProbe.toString()})(require('electron'));\n`);
  return runtime === 'stand-in' ? startStandIn(start, probe) : startElectron(start, probe);
}

async function startStandIn({ args, env }: Start, probe: string): Promise<MainProcess> {
  const imports = [REGISTER, probe].flatMap((path) => ['--import', pathToFileURL(path).href]);
  const child = spawn(NODE, [...imports, MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const watched = watch(child);
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const endpoint = new Promise<string>((resolve, reject) => {
    child.on('message', (message: FromStandIn) => {
      if (message.type === 'endpoint') {
        resolve(message.endpoint);
        return;
      }
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.type === 'value') asked?.resolve(message.value as never);
      else asked?.reject(new Error(message.message));
    });
    void watched.ended.then(({ code }) => {
      const error = new Error(`The app ended with ${code}:\n${watched.output()}`);
      for (const { reject: rejectAsked } of waiting.values()) rejectAsked(error);
      reject(error);
    });
  });
  const browser = endpoint.then((address) => chromium.connectOverCDP(address));
  browser.catch(() => undefined);
  const pages = browser.then((connected) => {
    const [context] = connected.contexts();
    if (context === undefined) throw new Error('The browser has no context.');
    return context;
  });
  pages.catch(() => undefined);
  return {
    ...watched,
    pages,
    evaluate: (fn, arg) => {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.send({ type: 'evaluate', id, source: fn.toString(), arg }, (error) => {
          if (error !== null) reject(error);
        });
      });
    },
    disconnect: async () => browser.then((connected) => connected.close()).catch(() => undefined),
  };
}

async function startElectron({ args, env }: Start, probe: string): Promise<MainProcess> {
  const runtime = findRuntime();
  if (runtime === null) throw new Error("Electron's runtime isn't installed here.");
  // Chromium's sandbox doesn't work for root.
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const launched = await _electron.launch({
    executablePath: runtime,
    args: [...asRoot, '-r', probe, ROOT, ...args],
    env,
  });
  return {
    ...watch(launched.process()),
    pages: Promise.resolve(launched.context()),
    evaluate: <A, R>(fn: MainFunction<A, R>, arg: A) =>
      launched.evaluate(fn as Parameters<typeof launched.evaluate>[0], arg) as Promise<R>,
    // Playwright's connection ends with the app.
    disconnect: async () => undefined,
  };
}

function watch(child: ChildProcess): Pick<MainProcess, 'process' | 'ended' | 'output'> {
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return { process: child, ended, output: () => printed };
}
