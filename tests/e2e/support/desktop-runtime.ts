/** Starts the built desktop app on the stand-in for Electron, or on Electron itself. */
import { _electron, chromium, type BrowserContext } from '@playwright/test';
import type * as ElectronModule from 'electron';
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRuntime } from '../../../electron/runtime.ts';
import { startStandIn, watchProcess, type Ended } from '../../support/electron/start.ts';
import type { DesktopRuntime } from './desktop-options.ts';
import { installProbe } from './desktop-probe.ts';

/** Runs in the main process; sent there as source text, so it uses nothing from outside itself. */
export type MainFunction<A, R> = (electron: typeof ElectronModule, arg: A) => R | Promise<R>;

/** A running main process. */
export interface MainProcess {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Everything that it printed. */
  output: () => string;
  evaluate<A, R>(fn: MainFunction<A, R>, arg: A): Promise<R>;
  /** The browser's pages; rejects when the app ends before it has any. */
  pages: Promise<BrowserContext>;
  /** Closes the test's own connection. */
  disconnect: () => Promise<void>;
}

interface Start {
  /** A folder of this start's own. */
  scratch: string;
  args: string[];
  env: Record<string, string>;
  /** By a dialog's name, its answer from the start on. */
  answers: Record<string, unknown[]>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'out/main/main.js');

/** Why specs can't run on a runtime here; null: they can. */
export const whyMissing = (runtime: DesktopRuntime): string | null =>
  runtime === 'stand-in' || findRuntime() !== null ? null : "Electron's runtime isn't installed here";

export async function startMain(runtime: DesktopRuntime, start: Start): Promise<MainProcess> {
  const probe = join(start.scratch, 'probe.cjs');
  writeFileSync(
    probe,
    `(${installProbe.toString()})(require('electron'), ${JSON.stringify(start.answers)});\n`,
  );
  return runtime === 'stand-in' ? startOnStandIn(start, probe) : startElectron(start, probe);
}

function startOnStandIn({ args, env }: Start, probe: string): MainProcess {
  const { endpoint, evaluate, ...watched } = startStandIn({ entry: MAIN, args, env, before: [probe] });
  const browser = endpoint.then((address) => chromium.connectOverCDP(address));
  const pages = browser.then((connected) => {
    const [context] = connected.contexts();
    if (context === undefined) throw new Error('The browser has no context.');
    return context;
  });
  pages.catch(() => undefined);
  return {
    ...watched,
    pages,
    evaluate: <A, R>(fn: MainFunction<A, R>, arg: A) => evaluate(fn.toString(), arg) as Promise<R>,
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
    ...watchProcess(launched.process()),
    pages: Promise.resolve(launched.context()),
    evaluate: <A, R>(fn: MainFunction<A, R>, arg: A) =>
      launched.evaluate(fn as Parameters<typeof launched.evaluate>[0], arg) as Promise<R>,
    // Playwright's connection ends with the app.
    disconnect: async () => undefined,
  };
}
