/** For a checkout: builds the app if it isn't built, or if the build is older than its sources. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STAMP = join(ROOT, 'out', '.built');
const SOURCES = ['server', 'shared', 'renderer', 'electron', 'electron.vite.config.ts', 'package-lock.json'];

/** With these, the program only prints, which any build does. */
const PRINTING = ['--help', '-h', '--version', '-v'];

/** Builds into out/ if needed to run with the arguments; ends the process if that fails. */
export function ensureBuilt(args: readonly string[]): void {
  const builtAt = changedAt(STAMP);
  const isEnough = builtAt > 0 && args.some((argument) => PRINTING.includes(argument));
  if (!isEnough && SOURCES.some((source) => changedAt(join(ROOT, source)) > builtAt)) build();
}

/** When the file, or the newest file in the folder, was last changed; 0: there is none. */
function changedAt(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, changedAt(join(path, name))), 0);
}

/** Says so on stderr, since stdout belongs to the service; what the bundler prints matters only if it fails. */
function build(): void {
  process.stderr.write('Building Parley, which takes up to a minute, once …\n');
  const viteManifest = createRequire(import.meta.url).resolve('electron-vite/package.json');
  const result = spawnSync(
    process.execPath,
    [
      join(dirname(viteManifest), 'bin', 'electron-vite.js'),
      'build',
      '--ignoreConfigWarning',
      '--logLevel',
      'warn',
    ],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: Infinity, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  if (result.status !== 0) {
    process.stderr.write(
      `${result.stdout}${result.stderr}Parley could not be built; the lines above say why.\n`,
    );
    process.exit(1);
  }
  writeFileSync(STAMP, '');
}
