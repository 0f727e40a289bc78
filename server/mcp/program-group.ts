/**
 * A program together with what it has started. `npx` and `uvx` start the tool server as a program of its own, and don't pass
 * on that they are asked to end. So each program gets a process group of its own, and signals go to the group: that needs no
 * list of processes, reaches what is left when the program itself has ended, and never another's process, since the number of
 * a group isn't given away while anybody is in it. What leaves the group, as a daemon does, means to stay and is left alone.
 *
 * On Windows there are no groups (a program that is detached there gets a console window): the tree below the program is
 * ended, which is found only while the program itself runs.
 */
import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether programs are to be started with a group of their own (`detached`). */
export const HAS_GROUPS = process.platform !== 'win32';

const LOOK_AGAIN_MS = 20;
/** The longest that ending a tree on Windows may take, in milliseconds. */
const TREE_MS = 2_000;

/** Whether the program itself has ended. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Resolves when the program itself has ended, or after so many milliseconds; whether it has. */
export async function endsWithin(child: ChildProcess, waitMs: number): Promise<boolean> {
  if (hasEnded(child)) return true;
  const enough = new AbortController();
  try {
    const options = { signal: enough.signal };
    await Promise.race([once(child, 'exit', options), sleep(waitMs, undefined, { ...options, ref: false })]);
  } catch {
    // It could not be started.
  } finally {
    enough.abort();
  }
  return hasEnded(child);
}

/** Resolves when nothing of the program's group is left, or after so many milliseconds; whether nothing is. */
export async function groupEndsWithin(child: ChildProcess, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  if (!(await endsWithin(child, waitMs))) return false;
  while (signalGroup(child, 0)) {
    if (performance.now() >= deadline) return false;
    await sleep(LOOK_AGAIN_MS);
  }
  return true;
}

/** Asks everything in the program's group to end, or kills it. On Windows both kill the tree. */
export async function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (HAS_GROUPS) signalGroup(child, signal);
  else if (child.pid !== undefined && !hasEnded(child)) await endTree(child, child.pid);
}

/** Whether there was somebody in the group to be told. Zero tells nothing. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  // Below that a number stands for this process's own group, or for everybody.
  if (!HAS_GROUPS || pid === undefined || !Number.isInteger(pid) || pid <= 1) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

async function endTree(child: ChildProcess, pid: number): Promise<void> {
  const program = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  await new Promise<void>((resolve) => {
    execFile(program, ['/T', '/F', '/PID', String(pid)], { timeout: TREE_MS, windowsHide: true }, () =>
      resolve(),
    );
  });
  if (!hasEnded(child)) child.kill('SIGKILL');
}
