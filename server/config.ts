/** Configuration from the environment. No other module reads it. */
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The person's home folder; from the list of users where `HOME` is empty or relative. */
export const homeFolder = (): string => (isAbsolute(homedir()) ? homedir() : userInfo().homedir);

/** A folder of Parley's, by the platform's conventions: on Windows, on a Mac, and by the XDG rules. */
const folderFor =
  (windows: string, mac: string, variable: string, xdg: string) =>
  (
    env: Readonly<Record<string, string | undefined>> = process.env,
    platform: NodeJS.Platform = process.platform,
    home: string = homeFolder(),
  ): string => {
    if (platform === 'win32')
      return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Parley', windows);
    if (platform === 'darwin') return join(home, 'Library', mac, 'Parley');
    // The XDG rules: a relative path there is not valid and is ignored.
    const set = env[variable];
    return join(set?.startsWith('/') ? set : join(home, xdg), 'parley');
  };

const usualDataDir = folderFor('Data', 'Application Support', 'XDG_DATA_HOME', '.local/share');

/** The default data folder, by the platform's conventions. */
export function defaultDataDir(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homeFolder(),
  exists: (path: string) => boolean = existsSync,
): string {
  // Where earlier versions put it on Windows: some companies copy that folder to every computer that a person uses.
  const roaming = join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Parley');
  return platform === 'win32' && exists(roaming) ? roaming : usualDataDir(env, platform, home);
}

/** The default folder for logs. */
export const defaultLogDir = folderFor('Logs', 'Logs', 'XDG_STATE_HOME', '.local/state');

/** The cache folder. */
export const defaultCacheDir = folderFor('Cache', 'Caches', 'XDG_CACHE_HOME', '.cache');

/** Proxies that the environment names. */
export interface EnvironmentProxies {
  /** For http and for https; null: none. */
  http: string | null;
  https: string | null;
  /** Hosts that are reached without them, as in `NO_PROXY`. */
  except: string;
}

/** The proxies of `HTTP_PROXY`, `HTTPS_PROXY` or `ALL_PROXY`, also in small letters; null: the environment names none. */
export function environmentProxies(
  env: Readonly<Record<string, string | undefined>> = process.env,
): EnvironmentProxies | null {
  const read = (name: string): string | null => env[name] || env[name.toUpperCase()] || null;
  const all = read('all_proxy');
  const [http, https] = [read('http_proxy') ?? all, read('https_proxy') ?? all];
  return http === null && https === null ? null : { http, https, except: read('no_proxy') ?? '' };
}

/** Folder of the built chat page. `entry` is a program's `import.meta.url`, from source or built. */
export const builtPageDir = (entry: string): string =>
  fileURLToPath(new URL(entry.endsWith('.ts') ? '../out/renderer' : '../renderer', entry));

const ZONE_CHECK_MS = 60_000;
let timeZone = 'UTC';
let zoneKnownAt = -Infinity;

/** The person's IANA time zone, e.g. `Europe/Paris`. Up to a minute late after it was changed, as on a journey. */
export function localTimeZone(): string {
  if (performance.now() - zoneKnownAt < ZONE_CHECK_MS) return timeZone;
  zoneKnownAt = performance.now();
  // Node asks the system again only when this changes.
  if (process.env['TZ'] === undefined) delete process.env['TZ'];
  return (timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}
