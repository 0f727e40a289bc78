/** The program as people run it: a process, with arguments, pipes and an environment. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { CLI } from './service-process.ts';

/** How it ended. */
export interface Ended {
  /** Null: a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** How to run it. */
export interface RunOptions {
  /** Standard input; empty, as from `/dev/null`, unless given. */
  input?: string | Buffer | Readable;
  env?: Record<string, string>;
  /** Called with all output so far, and the process. */
  onOutput?: (text: string, child: ChildProcess) => void;
}

/** Runs `parley` with the arguments to its end. */
export async function parley(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input, env = {}, onOutput } = options;
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    // Colours forced for the tests' own output must not affect the program's.
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
  });
  child.stdin?.on('error', () => undefined);
  if (child.stdin && input instanceof Readable) input.pipe(child.stdin);
  else child.stdin?.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onOutput?.(stdout + stderr, child);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    onOutput?.(stdout + stderr, child);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
