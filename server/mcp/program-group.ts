/**
 * A program together with the processes it started. `npx` and `uvx` start the tool server as a child process and don't
 * forward signals to it. So each program gets its own process group, and signals go to the group: that needs no list of
 * processes, reaches what remains after the program itself has ended, and never hits other processes, since a group's
 * number isn't reused while anybody is in it. A process that leaves the group, such as a daemon, is left alone.
 *
 * On Windows there are no groups (a program that is detached there gets a console window): the process tree below the
 * program is ended, which can only be found while the program itself runs.
 */
import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { attempt } from '../../shared/attempt.ts';

/** Whether programs are started in their own group (`detached`). */
export const HAS_GROUPS = process.platform !== 'win32';

const CHECK_AGAIN_MS = 20;
/** The longest that ending a tree on Windows may take, in milliseconds. */
const TREE_MS = 2_000;

/** Whether the program itself has ended. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Resolves when the program itself has ended, or after `waitMs`, with whether it has. */
export async function endsWithin(child: ChildProcess, waitMs: number): Promise<boolean> {
  if (hasEnded(child)) return true;
  // Rejects after that time, and for a program that could not be started.
  await once(child, 'exit', { signal: AbortSignal.timeout(waitMs) }).catch(() => undefined);
  return hasEnded(child);
}

/** Resolves when the program's group is empty, or after `waitMs`, with whether it is. */
export async function groupEndsWithin(child: ChildProcess, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  if (!(await endsWithin(child, waitMs))) return false;
  while (signalGroup(child, 0)) {
    if (performance.now() >= deadline) return false;
    await sleep(CHECK_AGAIN_MS);
  }
  return true;
}

/** Asks everything in the program's group to end, or kills it. On Windows both kill the tree. */
export async function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (HAS_GROUPS) signalGroup(child, signal);
  else if (child.pid !== undefined && !hasEnded(child)) await endTree(child, child.pid);
}

/** Sends a signal to the group; false if it is empty. Signal 0 only checks. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  // Lower numbers mean this process's own group, or every process.
  if (!HAS_GROUPS || pid === undefined || !Number.isInteger(pid) || pid <= 1) return false;
  return attempt(() => process.kill(-pid, signal)) === true;
}

async function endTree(child: ChildProcess, pid: number): Promise<void> {
  const program = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const options = { timeout: TREE_MS, windowsHide: true };
  await promisify(execFile)(program, ['/T', '/F', '/PID', String(pid)], options).catch(() => undefined);
  if (!hasEnded(child)) child.kill('SIGKILL');
}
