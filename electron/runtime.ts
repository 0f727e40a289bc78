/**
 * Electron's runtime in a checkout: where it is, and downloading it. The npm package downloads it at its first use, not
 * when it is installed. It is about 120 MB, so the person is told.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { attempt } from '../shared/attempt.ts';
import type { Environment } from './display.ts';

const LIMIT_MS = 15 * 60_000;

/** Folder of Electron's npm package. */
const packageDir = (): string => dirname(createRequire(import.meta.url).resolve('electron/package.json'));

/**
 * Path of Electron's program; null when it is missing or incomplete: a download writes `path.txt` last, so without that file,
 * or with another version than the package's, it was interrupted or is old.
 */
export function findRuntime(env: Environment = process.env, folder: string = packageDir()): string | null {
  const name = read(join(folder, 'path.txt'));
  // A folder that a person names is their responsibility.
  const chosen = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (chosen === undefined) {
    const { version } = JSON.parse(read(join(folder, 'package.json')) ?? '{}') as { version?: string };
    const found = read(join(folder, 'dist', 'version'));
    if (name === null || found?.trim().replace(/^v/, '') !== version) return null;
  }
  const program = join(chosen ?? join(folder, 'dist'), name ?? 'electron');
  return existsSync(program) ? program : null;
}

/** Downloads the runtime with the package's own script. Null on success, else why not, in a few words. */
export function downloadRuntime(folder: string = packageDir()): Promise<string | null> {
  const script = join(folder, 'install.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { timeout: LIMIT_MS }, (error, _output, complaints) => {
      // Without a number, it wasn't run.
      const isRun = typeof error?.code !== 'string';
      resolve(error === null ? null : isRun ? reasonIn(complaints) : error.message);
    });
  });
}

/** Advice if the download fails for lack of a connection; empty when both settings are there already. */
export function downloadHint(env: Environment = process.env): string {
  const ways = [
    ...(env['ELECTRON_GET_USE_PROXY']
      ? []
      : ['behind a proxy, set ELECTRON_GET_USE_PROXY=1 and HTTPS_PROXY']),
    ...(env['ELECTRON_MIRROR'] ? [] : ['to use a mirror, set ELECTRON_MIRROR to its address']),
  ];
  return ways.join('; ');
}

/** The message of the first error in the output, without its class. */
const reasonIn = (complaints: string): string =>
  /^\w*Error: (.+)$/m.exec(complaints)?.[1] ?? 'the download ended early';

const read = (path: string): string | null => attempt(() => readFileSync(path, 'utf8'));
