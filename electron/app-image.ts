/** Whether Parley runs from an AppImage. */
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { attempt } from '../shared/attempt.ts';
import type { Environment } from './display.ts';

/**
 * The AppImage that this program comes from; null: none. A program that another AppImage started, such as an editor with a terminal,
 * inherits that one's variables.
 */
export function appImageOf(env: Environment, execPath: string): string | null {
  const { APPIMAGE: file, APPDIR: folder } = env;
  if (!file || !folder) return null;
  const root = attempt(() => realpathSync(folder));
  return root !== null && execPath.startsWith(root + sep) ? file : null;
}
