/** Folders in the system's temporary one that the app itself can't remove when it ends. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../shared/attempt.ts';

const DAY_MS = 86_400_000;

/**
 * Makes a temporary folder for Chromium's profile, and removes those with the same prefix that are more than a day old:
 * Chromium still writes to its profile after Node has ended, so no run can remove its own.
 */
export function createTempFolder(prefix: string): string {
  const root = tmpdir();
  for (const name of readdirSync(root).filter((name) => name.startsWith(prefix))) {
    const path = join(root, name);
    // It may belong to somebody else, or be in use.
    attempt(() => {
      if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path, { recursive: true, force: true });
    });
  }
  return mkdtempSync(join(root, prefix));
}
