/** What the surroundings decide: the only reader of the environment. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where data is kept unless told otherwise: the platform's usual place. */
export function defaultDataDir(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Parley');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Parley');
  // The XDG rules: a relative path there is not valid and is ignored.
  const dataHome = env['XDG_DATA_HOME'];
  return join(dataHome?.startsWith('/') ? dataHome : join(home, '.local', 'share'), 'parley');
}

/** Where logs are kept unless told otherwise: the platform's usual place. */
export function defaultLogDir(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'win32') {
    return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Parley', 'Logs');
  }
  if (platform === 'darwin') return join(home, 'Library', 'Logs', 'Parley');
  const stateHome = env['XDG_STATE_HOME'];
  return join(stateHome?.startsWith('/') ? stateHome : join(home, '.local', 'state'), 'parley');
}

/** Where what can be made anew is kept: the platform's usual place for that. */
export function defaultCacheDir(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'win32') {
    return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Parley', 'Cache');
  }
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'Parley');
  const cacheHome = env['XDG_CACHE_HOME'];
  return join(cacheHome?.startsWith('/') ? cacheHome : join(home, '.cache'), 'parley');
}

/** Where the built chat page is, seen from a program's entry: its `import.meta.url`, from source or built. */
export const builtPageDir = (entry: string): string =>
  fileURLToPath(new URL(entry.endsWith('.ts') ? '../out/renderer' : '../renderer', entry));

let timeZone: string | null = null;

/**
 * The person's IANA time zone, e.g. `Europe/Paris`, as it was when it was first asked for. That takes some milliseconds,
 * since the platform loads all it knows of dates.
 */
export const localTimeZone = (): string =>
  (timeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
