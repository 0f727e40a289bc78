/** Starts the built desktop app, with a probe in its main process and a connection to its pages. */
import { chromium, type BrowserContext } from '@playwright/test';
import type * as ElectronModule from 'electron';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startElectron, type ElectronProcess, type ElectronStart } from '../../support/electron/start.ts';
import { installProbe, type Faults } from './desktop-probe.ts';

/** Runs in the main process; sent there as source text, so it uses nothing from outside itself. */
export type MainFunction<A, R> = (electron: typeof ElectronModule, arg: A) => R | Promise<R>;

/** A running main process. */
export interface MainProcess extends Pick<ElectronProcess, 'process' | 'ended' | 'output'> {
  evaluate<A, R>(fn: MainFunction<A, R>, arg: A): Promise<R>;
  /** The browser's pages; rejects when the app ends before it has any. */
  pages: Promise<BrowserContext>;
  /** Closes the test's own connection. */
  disconnect: () => Promise<void>;
}

/** A start, with what the probe does in it. */
export interface ProbedStart extends ElectronStart {
  /** By a dialog's name, its answer from the start on. */
  answers: Record<string, unknown[]>;
  faults: Faults;
}

export async function startMain({ answers, faults, ...start }: ProbedStart): Promise<MainProcess> {
  const probe = join(start.scratch, 'probe.cjs');
  writeFileSync(
    probe,
    `(${installProbe.toString()})(require('electron'), ${JSON.stringify(answers)}, ${JSON.stringify(faults)});\n`,
  );
  const { endpoint, evaluate, ...watched } = await startElectron({ ...start, before: [probe] });
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
