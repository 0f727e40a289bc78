/**
 * Opening at login, hidden. The system stores this and a person can change it there, so it is read each time and never
 * stored here. Linux desktops use a file in the autostart folder, which Electron leaves to the app.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { homeFolder } from '../server/config.ts';
import { attempt } from '../shared/attempt.ts';
import { appImageOf } from './app-image.ts';
import { words } from './words.ts';

/** Starts with the person's session, or not. */
export interface LoginItem {
  /** Null: not available, for example in a checkout. */
  isSet(): boolean | null;
  /** Throws when the system refuses. */
  set(open: boolean): void;
}

/** What the login item works with. */
export interface LoginItemDeps {
  app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  execPath: string;
}

const ARGUMENTS = ['--hidden'];
/** macOS's status for a login item that it won't open. */
const NOT_IN_FORCE = ['not-registered', 'requires-approval', 'not-found'];

/** The login item of an installed Parley; a checkout has none. */
export function createLoginItem({ app, platform, env, execPath }: LoginItemDeps): LoginItem {
  if (!app.isPackaged) return { isSet: () => null, set: () => undefined };
  if (platform === 'linux') return autostartFile(env, appImageOf(env, execPath) ?? execPath);
  return {
    isSet() {
      if (platform !== 'win32') {
        // macOS reports items that a person has yet to allow, or has switched off, separately.
        const { openAtLogin, status } = app.getLoginItemSettings();
        return openAtLogin && !NOT_IN_FORCE.includes(status);
      }
      const found = app.getLoginItemSettings({ args: ARGUMENTS });
      // The entry stays when a person switches it off in the system's own list.
      return found.openAtLogin && found.executableWillLaunchAtLogin;
    },
    set: (open) =>
      app.setLoginItemSettings({ openAtLogin: open, ...(platform === 'win32' && { args: ARGUMENTS }) }),
  };
}

function autostartFile(env: LoginItemDeps['env'], program: string): LoginItem {
  const configured = env['XDG_CONFIG_HOME'];
  const folder = join(configured?.startsWith('/') ? configured : join(homeFolder(), '.config'), 'autostart');
  const path = join(folder, 'parley.desktop');
  return {
    isSet: () => isInForce(path),
    set(open) {
      // Something else in its position, such as a pipe, would be written to.
      rmSync(path, { force: true });
      if (!open) return;
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, desktopEntry(program));
    },
  };
}

/** Desktops that let a person switch an entry off keep its file and mark it; they skip one whose program was moved or removed. */
function isInForce(path: string): boolean {
  const entry = attempt(() => (statSync(path).isFile() ? readFileSync(path, 'utf8') : null));
  const isOff = /^[ \t]*(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m;
  if (entry === null || isOff.test(entry)) return false;
  const program = /^TryExec=(.*)$/m.exec(entry)?.[1];
  return program === undefined || existsSync(unescaped(program));
}

/** As in the values of a desktop entry, which are one line each. */
const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const unescaped = (value: string): string =>
  value.replaceAll(/\\(.)/g, (_pair, sign: string) => (sign === 'n' ? '\n' : sign));

/** Quoted as the desktop entry specification requires: a path may contain anything. */
export function desktopEntry(program: string): string {
  const quoted = `"${escaped(program.replaceAll(/["`$\\]/g, '\\$&')).replaceAll('%', '%%')}"`;
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${words.app}`,
    // Once Parley is removed, desktops skip the entry.
    `TryExec=${escaped(program)}`,
    `Exec=${quoted} ${ARGUMENTS.join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}
