/**
 * Runs Electron as a child of `npm start`. A terminal sends Ctrl-C and hang-up to both processes, so these aren't passed on then. A signal
 * to this process alone, such as from a script or a service manager, is meant for the app.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { END_SIGNALS } from '../server/process/end-signals.ts';

/** What running Electron works with. */
export interface WindowProcess {
  /** Path of Electron's program. */
  program: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Whether a terminal has both processes, and signals both. */
  hasTerminal: boolean;
  /** Emits signals; this process unless given. */
  signals?: Pick<NodeJS.EventEmitter, 'on' | 'off'>;
  /** An Electron that ends sooner, and not cleanly, could not open its window; ms, 10,000 unless given. */
  startMs?: number;
}

/** How it ended: with an exit code to pass on, or without ever having had a window, with the reason. */
export type WindowEnd = { exitCode: number } | { noWindow: string };

/** The exit codes that Parley itself ends with. */
const OWN_CODES = [0, 1, 2, 3];
/**
 * Signals by which Chromium aborts before any of our code runs if its sandbox is blocked, as on Ubuntu since 24.04:
 * https://github.com/electron/electron/issues/42510
 */
const ABORTS: readonly (NodeJS.Signals | null)[] = ['SIGTRAP', 'SIGABRT', 'SIGILL'];
/** Signals that a terminal sends to all its processes itself. */
const OF_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP', 'SIGQUIT'];

/** Runs Electron until it ends. */
export async function runWindow({
  program,
  args,
  env,
  hasTerminal,
  signals = process,
  startMs = 10_000,
}: WindowProcess): Promise<WindowEnd> {
  const startedAt = performance.now();
  const child = spawn(program, args, { stdio: 'inherit', env });
  const received: NodeJS.Signals[] = [];
  const listeners = END_SIGNALS.map((signal) => {
    const onSignal = (): void => {
      received.push(signal);
      if (!hasTerminal || !OF_TERMINAL.includes(signal)) child.kill(signal);
    };
    signals.on(signal, onSignal);
    return () => signals.off(signal, onSignal);
  });
  const { code, signal, problem } = await new Promise<{
    code: number | null;
    signal: NodeJS.Signals | null;
    problem: string;
  }>((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, problem: error.message }));
    child.on('close', (ended, by) =>
      resolve({ code: ended, signal: by, problem: by ?? `exit code ${ended}` }),
    );
  });
  for (const stop of listeners) stop();
  const isOwn = code !== null && OWN_CODES.includes(code);
  if (isOwn || received.length > 0 || performance.now() - startedAt > startMs) {
    return { exitCode: code ?? (signal === null ? 1 : 128 + constants.signals[signal]) };
  }
  const helper = `'${join(dirname(program), 'chrome-sandbox')}'`;
  const remedy =
    process.platform === 'linux' && ABORTS.includes(signal)
      ? `; if it is about Chromium’s sandbox, allow that by running: sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`
      : '';
  return { noWindow: `Electron could not open a window here (${problem}${remedy})` };
}
