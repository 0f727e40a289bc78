/**
 * Finds the person's programs. An app started from the Finder or a launcher gets a PATH with only the system's folders, but `npx`, `uvx`
 * and `node` are often elsewhere, and the login shell knows where. It is asked once, in the background, since its start-up files may be
 * slow.
 */
import { spawn } from 'node:child_process';

/** What asking works with. */
export interface LoginPathOptions {
  /** The person's shell, from the environment; null: none is known. */
  shell: string | null;
  /** How long its start-up files may take, in milliseconds; 5,000 unless given. */
  limitMs?: number;
}

/** Around what counts: start-up files may print anything. */
const MARK = '_PARLEY_PATH_';
const MAX_OUTPUT = 1024 * 1024;

/** The PATH of the login shell; null when it doesn't tell in time. */
export function readLoginPath({ shell, limitMs = 5_000 }: LoginPathOptions): Promise<string | null> {
  if (shell === null || shell === '') return Promise.resolve(null);
  return new Promise((resolve) => {
    // Apart from this process, so that the whole of it can be ended, and no terminal of this one's stops it.
    const child = spawn(shell, ['-ilc', `echo ${MARK}; /usr/bin/env; echo ${MARK}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      // Frameworks of shells look for updates, and some ask.
      env: { ...process.env, DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' },
    });
    let output = '';
    const end = (): void => {
      clearTimeout(timer);
      if (child.pid !== undefined) {
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          // It has ended.
        }
      }
      child.stdout.destroy();
      resolve(pathIn(output));
    };
    const timer = setTimeout(end, limitMs);
    child.on('error', end);
    child.on('exit', () => setImmediate(end));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // What it has started in the background may keep the output open.
      if (output.length > MAX_OUTPUT || pathIn(output) !== null) end();
    });
  });
}

/** Both, without what stands in them twice; the shell's first, as the person has it. */
export const joinPaths = (first: string, second: string): string =>
  [...new Set([...first.split(':'), ...second.split(':')])].filter((folder) => folder !== '').join(':');

function pathIn(output: string): string | null {
  const [, told, after] = output.split(MARK);
  if (told === undefined || after === undefined) return null;
  return /^PATH=(.+)$/m.exec(told)?.[1] ?? null;
}
