/**
 * Finds the person's programs. An app started from the Finder or a launcher gets a PATH with only the system's folders, but `npx`, `uvx`
 * and `node` are often elsewhere, and the login shell knows where. It is asked once, in the background, since its start-up files may be
 * slow.
 */
import { spawn } from 'node:child_process';
import { attempt } from '../shared/attempt.ts';

/** Marks the PATH in the output: start-up files may print anything. */
const MARK = '_PARLEY_PATH_';
const MAX_OUTPUT = 1024 * 1024;

/** The PATH of that login shell (empty: it is unknown); null when it doesn't answer in time, by default 5 s. */
export function readLoginPath(shell: string, limitMs = 5_000): Promise<string | null> {
  if (shell === '') return Promise.resolve(null);
  return new Promise((resolve) => {
    // In a process group of its own, so that all of it can be killed, and no terminal of this process stops it.
    const child = spawn(shell, ['-ilc', `echo ${MARK}; /usr/bin/env; echo ${MARK}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      // Shell frameworks check for updates, and some ask questions.
      env: { ...process.env, DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' },
    });
    let output = '';
    const end = (): void => {
      clearTimeout(timer);
      const { pid } = child;
      // It may have ended.
      if (pid !== undefined) attempt(() => process.kill(-pid, 'SIGKILL'));
      child.stdout.destroy();
      resolve(pathIn(output));
    };
    const timer = setTimeout(end, limitMs);
    child.on('error', end);
    child.on('exit', () => setImmediate(end));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // A background process it started may keep the output open.
      if (output.length > MAX_OUTPUT || pathIn(output) !== null) end();
    });
  });
}

/** Both, without duplicates; the shell's first, in the person's order. */
export const joinPaths = (first: string, second: string): string =>
  [...new Set([...first.split(':'), ...second.split(':')])].filter((folder) => folder !== '').join(':');

function pathIn(output: string): string | null {
  const [, printed, after] = output.split(MARK);
  if (printed === undefined || after === undefined) return null;
  return /^PATH=(.+)$/m.exec(printed)?.[1] ?? null;
}
