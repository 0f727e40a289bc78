/** Starts the desktop app on Electron, for tests to drive. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desk } from './desk.ts';
import { giveTo, type TestRuntime } from './runtime.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A started app. */
export interface ElectronProcess {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Everything that it has printed. */
  output: () => string;
  /** Runs a function in its main process, by its source. Rejects when the process ends first. */
  evaluate: (source: string, arg?: unknown) => Promise<unknown>;
  /** Where its Chromium can be connected to; rejects when the app ends before that. */
  endpoint: Promise<string>;
}

/** What to start, and where. */
export interface ElectronStart {
  runtime: TestRuntime;
  desk: Desk;
  /** A folder of this start's own; it becomes the app's user's. */
  scratch: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Modules to load before the app's own. */
  before?: string[];
}

const LAST_WORDS_MS = 1_000;
const ENDPOINT = /^DevTools listening on (\S+)/m;
const CONTROL = fileURLToPath(new URL('./control.cjs', import.meta.url));

/** Starts it as its user, in a folder's form: with the default app's options, and not packaged. */
export async function startElectron(start: ElectronStart): Promise<ElectronProcess> {
  const { runtime, desk, scratch, args, env = {}, before = [] } = start;
  const control = join(scratch, 'control.cjs');
  copyFileSync(CONTROL, control);
  await giveTo(runtime.user, scratch);
  const child = spawn(
    runtime.program,
    [
      '--remote-debugging-port=0',
      // There is none for the tests, and Chromium would try it three times.
      '--disable-gpu',
      ...[...(runtime.polyfills === null ? [] : [runtime.polyfills.electron]), control, ...before].flatMap(
        (path) => ['-r', path],
      ),
      runtime.app,
      ...args,
    ],
    {
      env: { ...desk.env, ...env, NODE_OPTIONS: nodeOptions(runtime), ELECTRON_RUN_AS_NODE: undefined },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      ...runtime.user,
    },
  );
  const watched = watchProcess(child);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let isOver = false;
  const overError = (): Error => new Error(`The app has ended:\n${watched.output()}`);
  const { promise: endpoint, resolve: found, reject: neverFound } = Promise.withResolvers<string>();
  endpoint.catch(() => undefined);
  child.stderr?.on('data', () => {
    const address = ENDPOINT.exec(watched.output())?.[1];
    if (address !== undefined) found(address);
  });
  child.on('message', (message: { id: number; value?: unknown; error?: string }) => {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.value);
    else asked?.reject(new Error(message.error));
  });
  void watched.ended.then(() => {
    isOver = true;
    for (const asked of waiting.values()) asked.reject(overError());
    neverFound(overError());
  });
  let lastId = 0;
  return {
    ...watched,
    endpoint,
    evaluate: (source, arg) => {
      if (isOver) return Promise.reject(overError());
      const asked = Promise.withResolvers<unknown>();
      waiting.set((lastId += 1), asked);
      child.send({ id: lastId, source, arg }, (error) => {
        if (error !== null) asked.reject(error);
      });
      return asked.promise;
    },
  };
}

/** Node's options for a process of the app's. */
const nodeOptions = ({ polyfills }: TestRuntime): string | undefined =>
  polyfills === null ? undefined : `--require ${polyfills.node}`;

/** How a process ends, and what it prints until then. */
export function watchProcess(child: ChildProcess): Pick<ElectronProcess, 'process' | 'ended' | 'output'> {
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => {
      const end = (): void => {
        clearTimeout(timer);
        resolve({ code, signal });
      };
      // Its last output may still be arriving; other processes that share its output aren't waited for.
      const timer = setTimeout(end, LAST_WORDS_MS);
      child.once('close', end);
    });
  });
  return { process: child, ended, output: () => printed };
}
