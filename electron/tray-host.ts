/**
 * Whether this Linux desktop shows tray icons. Electron doesn't report if none are shown, as on GNOME without an extension, but the
 * desktop's message bus knows. Electron can't ask it, so a program of the desktop does.
 */
import { execFile } from 'node:child_process';
import { hasX11Tray } from './x11-tray.ts';

const SERVICE = 'org.kde.StatusNotifierWatcher';
const OBJECT = '/StatusNotifierWatcher';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
/** Whether any program shows the icons registered with the watcher. */
const HOSTED = 'IsStatusNotifierHostRegistered';
const LIMIT_MS = 1_000;

/** Programs that can ask the bus, from GLib, systemd and D-Bus; the first one found is used. */
const WAYS: readonly (readonly [string, ...string[]])[] = [
  [
    'gdbus',
    ...['call', '--session', '--dest', SERVICE, '--object-path', OBJECT],
    ...['--method', `${PROPERTIES}.Get`, SERVICE, HOSTED],
  ],
  ['busctl', '--user', 'get-property', SERVICE, OBJECT, SERVICE, HOSTED],
  [
    'dbus-send',
    ...['--session', '--print-reply', `--dest=${SERVICE}`, OBJECT],
    ...[`${PROPERTIES}.Get`, `string:${SERVICE}`, `string:${HOSTED}`],
  ],
];

/** A program's output; null: the program doesn't exist. Empty when it failed or took too long. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | null>;

/** Whether the desktop watches over tray icons. `false` if that can't be found out, so that a window is never lost. */
export async function hasTrayHost(run: RunProgram = runProgram): Promise<boolean> {
  for (const [program, ...args] of WAYS) {
    const answer = await run(program, args);
    if (answer !== null) return /\btrue\b/.test(answer);
  }
  return false;
}

const runProgram: RunProgram = (program, args) =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: LIMIT_MS }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else resolve(error.code === 'ENOENT' ? null : '');
    });
  });

/** Whether a person sees tray icons here: Electron shows them in the older way of X11 where nobody watches over the newer ones. */
export const showsTrayIcons = async (
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  isOnWayland: boolean,
): Promise<boolean> =>
  platform !== 'linux' || (await hasTrayHost()) || (!isOnWayland && (await hasX11Tray(env)));
