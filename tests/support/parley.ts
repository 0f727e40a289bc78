/** The program as people run it: a process, with arguments, pipes and an environment. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { bundled } from './bundled.ts';
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

/** Colours forced for the tests' own output must not affect the program's. */
const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  ...env,
});

/** Runs `parley` with the arguments to its end. */
export async function parley(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input, env = {}, onOutput } = options;
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: environment(env),
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

/** What a host of commands is sent; see cli-host.ts. */
export interface HostedCommand {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** One for all test files of this process, and no reason for it to go on. */
function startHost(): ChildProcess {
  const child = fork(fileURLToPath(bundled('cli-host')), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.unref();
  child.channel?.unref();
  return child;
}

/**
 * Like {@link parley}, in a process that has run other commands: for commands that get no input, and whose output needs no process of its
 * own. One at a time.
 */
export function hostedParley(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const ended = last.then(async () => {
    const child = (host ??= startHost());
    child.channel?.ref();
    const answered = Promise.withResolvers<Ended>();
    const lose = (): void => answered.reject(new Error(`Its process ended: parley ${args.join(' ')}`));
    child.once('message', (command) => answered.resolve(command as Ended)).once('exit', lose);
    child.send({ args, env: environment(env) } satisfies HostedCommand);
    const command = await answered.promise;
    child.off('exit', lose).channel?.unref();
    return command;
  });
  last = ended.catch(() => (host = undefined));
  return ended;
}
