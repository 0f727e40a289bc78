import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

interface PackageFile {
  name?: string;
  productName?: string;
  version?: string;
}

/** Where the app's package.json is: the nearest above the entry. */
export function findAppPath(entry: string): string {
  let folder = dirname(resolve(entry));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) return dirname(resolve(entry));
    folder = above;
  }
  return folder;
}

export function readPackage(appPath: string): PackageFile {
  const file = join(appPath, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageFile) : {};
}

/** The value of a `--name=value` switch on the command line. */
export function switchValue(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((argument) => argument.startsWith(start))?.slice(start.length);
}

function appData(): string {
  if (process.platform === 'win32') return process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
}

/** Electron's named folders. Those that depend on others are made of them until they are set. */
export class Paths {
  readonly #set = new Map<string, string>();
  readonly #appName: () => string;

  constructor(appName: () => string) {
    this.#appName = appName;
    const userData = switchValue('user-data-dir');
    if (userData !== undefined) this.#set.set('userData', resolve(userData));
  }

  get(name: string): string {
    const known = this.#set.get(name);
    if (known !== undefined) return known;
    const home = homedir();
    const defaults: Record<string, () => string> = {
      home: () => home,
      appData,
      userData: () => join(appData(), this.#appName()),
      sessionData: () => this.get('userData'),
      temp: tmpdir,
      exe: () => process.execPath,
      module: () => process.execPath,
      desktop: () => join(home, 'Desktop'),
      documents: () => join(home, 'Documents'),
      downloads: () => join(home, 'Downloads'),
      music: () => join(home, 'Music'),
      pictures: () => join(home, 'Pictures'),
      videos: () => join(home, 'Videos'),
      crashDumps: () => join(this.get('userData'), 'Crashpad'),
      logs: () => {
        this.setLogs();
        return this.get('logs');
      },
    };
    const path = defaults[name]?.();
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  set(name: string, path: string): void {
    // Throws for names that Electron doesn't have.
    this.get(name);
    if (!existsSync(path) && name !== 'userData' && name !== 'sessionData')
      throw new Error(`Failed to set path: ${path} does not exist`);
    this.#set.set(name, path);
  }

  setLogs(path?: string): void {
    const usual =
      process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Logs', this.#appName())
        : join(this.get('userData'), 'logs');
    const logs = path ?? usual;
    mkdirSync(logs, { recursive: true });
    this.#set.set('logs', logs);
  }
}
