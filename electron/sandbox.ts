/**
 * Whether Chromium can have its sandbox on this Linux. It wants user namespaces, which some systems (Ubuntu 24.04 and later
 * among them) keep from programs they don't know, or else a helper that belongs to root. With neither, Chromium aborts before
 * any of Parley's code runs: https://github.com/electron/electron/issues/42510
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is looked at; absent or unreadable is null. */
export interface SandboxProbe {
  readText: (path: string) => string | null;
  /** Owner and mode of a file. */
  stat: (path: string) => { uid: number; mode: number } | null;
  /** Names in a folder; none when it isn't there. */
  list: (path: string) => string[];
}

const ROOT_UID = 0;
const SETUID_MODE = 0o4755;
const APPARMOR_DIR = '/etc/apparmor.d';
/** The kernel's switches, each with the value that keeps user namespaces from ordinary programs. */
const SWITCHES = [
  { path: '/proc/sys/kernel/unprivileged_userns_clone', off: '0' },
  { path: '/proc/sys/user/max_user_namespaces', off: '0' },
] as const;
const APPARMOR_SWITCH = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

/** Why Chromium would abort here, with the command that mends it, in one line; null when it can have its sandbox. */
export function whyNoSandbox(program: string, probe: SandboxProbe = ofThisSystem): string | null {
  const helper = join(dirname(program), 'chrome-sandbox');
  const found = probe.stat(helper);
  if (found !== null && found.uid === ROOT_UID && (found.mode & SETUID_MODE) === SETUID_MODE) return null;
  const value = (path: string): string | undefined => probe.readText(path)?.trim();
  const isOff = SWITCHES.some(({ path, off }) => value(path) === off);
  const isForKnownOnly = value(APPARMOR_SWITCH) === '1' && !hasProfile(program, probe);
  return isOff || isForKnownOnly
    ? `This system doesn’t let Electron use Chromium’s sandbox (${remedyFor(helper)})`
    : null;
}

/** What to run so that Chromium has its sandbox, whatever kept it from it. */
export const remedyFor = (helper: string): string =>
  `to allow it, run: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`;

/** Whether a profile names this very program: such a program is known, and may. */
const hasProfile = (program: string, { list, readText }: SandboxProbe): boolean =>
  list(APPARMOR_DIR).some((name) => readText(join(APPARMOR_DIR, name))?.includes(program) === true);

const orNull = <T>(look: () => T): T | null => {
  try {
    return look();
  } catch {
    return null;
  }
};

const ofThisSystem: SandboxProbe = {
  readText: (path) => orNull(() => readFileSync(path, 'utf8')),
  stat: (path) => orNull(() => statSync(path)),
  list: (path) => orNull(() => readdirSync(path)) ?? [],
};
