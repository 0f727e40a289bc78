/** Starts a built main process on the stand-in, as a separate process, for tests to drive. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NODE } from '../platform.ts';
import type { FromStandIn } from './control.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StandInProcess {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Everything that it has printed. */
  output: () => string;
  /** Runs a function in it, by its source. Rejects when the process ends first. */
  evaluate: (source: string, arg?: unknown) => Promise<unknown>;
  /** Where its browser can be connected to; rejects when it ends before it has one. */
  endpoint: Promise<string>;
}

export interface StandInStart {
  /** Path of the main process's entry. */
  entry: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Modules to evaluate before it, with the stand-in already in place. */
  before?: string[];
}

const LAST_WORDS_MS = 1_000;
const REGISTER = fileURLToPath(new URL('./register.ts', import.meta.url));

export function startStandIn({ entry, args, env, before = [] }: StandInStart): StandInProcess {
  const imports = [REGISTER, ...before].flatMap((path) => ['--import', pathToFileURL(path).href]);
  const child = spawn(NODE, [...imports, entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const watched = watchProcess(child);
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let isOver = false;
  const overError = (): Error => new Error(`The main process has ended:\n${watched.output()}`);
  const endpoint = new Promise<string>((resolve, reject) => {
    child.on('message', (message: FromStandIn) => {
      if (message.type === 'endpoint') {
        resolve(message.endpoint);
        return;
      }
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.type === 'value') asked?.resolve(message.value);
      else asked?.reject(new Error(message.message));
    });
    void watched.ended.then(() => {
      isOver = true;
      for (const asked of waiting.values()) asked.reject(overError());
      reject(overError());
    });
  });
  endpoint.catch(() => undefined);
  return {
    ...watched,
    endpoint,
    evaluate: (source, arg) =>
      new Promise((resolve, reject) => {
        if (isOver) {
          reject(overError());
          return;
        }
        lastId += 1;
        const id = lastId;
        waiting.set(id, { resolve, reject });
        child.send({ id, source, arg }, (error) => {
          if (error !== null) reject(error);
        });
      }),
  };
}

/** How a process ends, and what it prints until then. */
export function watchProcess(child: ChildProcess): Pick<StandInProcess, 'process' | 'ended' | 'output'> {
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
