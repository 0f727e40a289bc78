/**
 * Keeps compiled code for the next start. Since that code will be run, a folder that others can write to isn't used.
 */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../shared/attempt.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { VERSION } from '../lib/version.ts';

/** Each version has its own folder, since no other can use it. */
const PREFIX = 'code-';
/** By then the start is long over. Writing takes about ten milliseconds, once after each update. */
const WRITE_AFTER_MS = 5_000;

/**
 * Uses and fills a cache in `cacheDir` for everything imported from now on. It is written after a few seconds and when the process
 * ends. False: it isn't used, since the program runs from source or the folder can't be used. Never throws.
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

/** Whether only this user can write to the folder. Windows has other rules, and its user folders are private. */
function isOwn(dir: string): boolean {
  const stats = lstatSync(dir);
  if (!stats.isDirectory()) return false;
  const user = process.getuid?.();
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}

/** Removes the caches of other versions. */
export function removeOld(cacheDir: string): void {
  const old = (attempt(() => readdirSync(cacheDir)) ?? []).filter(
    (name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION,
  );
  // They only take some space, and the next start tries again.
  for (const name of old) attempt(() => rmSync(join(cacheDir, name), { recursive: true }));
}
