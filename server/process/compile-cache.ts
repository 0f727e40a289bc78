/**
 * Keeping what the engine made of the program's files, so that the next start need not compile them again. It is code that
 * is run: a folder that others can write to is not used.
 */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../lib/make-folder.ts';
import { VERSION } from '../lib/version.ts';

/** Each version has a folder of its own, since no other has use for it. */
const PREFIX = 'code-';
/** By then a start is long over; writing takes some ten milliseconds, once after each update. */
const WRITE_AFTER_MS = 5_000;

/**
 * Has everything that is imported from now on compiled from `cacheDir`, which is made, and kept there soon and at the end
 * of the process. True when that is so. Does nothing for sources, and where the folder can't be had; never throws.
 */
export function enableCompileCache(entry: string, cacheDir: string): boolean {
  if (entry.endsWith('.ts')) return false;
  const nodeModule = process.getBuiltinModule('node:module');
  try {
    const dir = join(cacheDir, PREFIX + VERSION);
    makeFolder(dir);
    if (!isOwn(cacheDir) || !isOwn(dir)) return false;
    const { status } = nodeModule.enableCompileCache(dir);
    const { ENABLED, ALREADY_ENABLED } = nodeModule.constants.compileCacheStatus;
    if (status === ALREADY_ENABLED) return true;
    if (status !== ENABLED) return false;
  } catch {
    return false;
  }
  setTimeout(() => {
    nodeModule.flushCompileCache();
    removeOld(cacheDir);
  }, WRITE_AFTER_MS).unref();
  return true;
}

/** Whether only this user can have put something into the folder. Windows has other rules, and private folders of its own. */
function isOwn(dir: string): boolean {
  const stats = lstatSync(dir);
  if (!stats.isDirectory()) return false;
  const user = process.getuid?.();
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}

/** Removes what earlier versions kept. */
export function removeOld(cacheDir: string): void {
  try {
    if (!existsSync(cacheDir)) return;
    for (const name of readdirSync(cacheDir)) {
      if (name.startsWith(PREFIX) && name !== PREFIX + VERSION)
        rmSync(join(cacheDir, name), { recursive: true });
    }
  } catch {
    // It costs some space, and the next start tries again.
  }
}
