/**
 * Restarts the app once this process has ended. An AppImage runs from a folder that disappears with the process, and with it
 * Electron's own helper for that, so there a shell waits: https://github.com/electron-userland/electron-builder/issues/1727
 */
import { spawn } from 'node:child_process';
import type { App } from 'electron';
import { appImageOf } from './app-image.ts';
import { isValue } from './arguments.ts';

/** What restarting needs. */
export interface RestartDeps {
  app: Pick<App, 'relaunch'>;
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** The program that runs. */
  execPath: string;
  /** The id of the process whose end is waited for. */
  pid: number;
  /** Runs a program that outlives this one. */
  run?: (program: string, args: string[]) => void;
}

const WAIT_THEN_RUN = 'while kill -0 "$0" 2>/dev/null; do sleep 0.1; done; exec "$@"';

/** Starts Parley again after its end, with the same arguments but with a window, and with this link if there is one. */
export function restart(
  { app, argv, env, execPath, pid, run = runApart }: RestartDeps,
  link: string | null,
): void {
  const own = argv
    .slice(1)
    .filter((argument, at, all) => isValue(all, at) || !/^(?:--hidden$|serve$|parley:)/i.test(argument));
  const args = link === null ? own : [...own, link];
  const appImage = appImageOf(env, execPath);
  if (appImage === null) app.relaunch({ args });
  else run('/bin/sh', ['-c', WAIT_THEN_RUN, String(pid), appImage, ...args]);
}

/** Keeps in mind whether Parley shall start again once this process has ended. */
export function createRestart(start: (link: string | null) => void) {
  let wanted: { link: string | null } | null = null;
  return {
    /** Restarts Parley once this process has ended, optionally with a link to follow. */
    startAgain: (link: string | null): void => void (wanted = { link }),
    /** The process ends now. */
    startIfWanted: (): void => {
      if (wanted !== null) start(wanted.link);
    },
  };
}

function runApart(program: string, args: string[]): void {
  spawn(program, args, { detached: true, stdio: 'ignore' }).unref();
}
