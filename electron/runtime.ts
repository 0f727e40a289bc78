/**
 * Electron's runtime in a checkout: where it is, and getting it. Its npm package brings it at the first use and not when it
 * is installed. It is some 120 MB, so a person is told.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const LIMIT_MS = 15 * 60_000;

/** Folder of Electron's npm package. */
const packageDir = (): string => dirname(createRequire(import.meta.url).resolve('electron/package.json'));

/** Path of Electron's program; null when it isn't there. */
export function findRuntime(
  env: Readonly<Record<string, string | undefined>> = process.env,
  folder: string = packageDir(),
): string | null {
  const listed = join(folder, 'path.txt');
  const name = existsSync(listed) ? readFileSync(listed, 'utf8') : 'electron';
  const chosen = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const program = chosen === undefined ? join(folder, 'dist', name) : join(chosen, name);
  return existsSync(program) ? program : null;
}

/** Downloads the runtime, with what its package brings for that. Null when it is there, else why not, in a few words. */
export function downloadRuntime(folder: string = packageDir()): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(folder, 'install.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
    });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? null : reasonIn(complaints)));
  });
}

/** The message of the first error that was told, without its class. */
const reasonIn = (complaints: string): string =>
  /^\w*Error: (.+)$/m.exec(complaints)?.[1] ?? 'the download ended early';
