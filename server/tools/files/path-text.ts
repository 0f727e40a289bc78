/** Which texts can be paths at all, and which path is in which folder, before any file is looked at. */
import { sep } from 'node:path';
import { MAX_PATH_CHARACTERS } from '../../../shared/limits.ts';
import { ToolError } from '../tool.ts';

/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;
const MAX_NAME_CHARACTERS = 255;
const WINDOWS_REFUSES = /[<>:"|?*\u0000-\u001f]/;
/** Characters that make a name look like another one to the person who is asked. */
const MISLEADING = /(?![\u200c\u200d\ufe0f])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

/**
 * The names along a path. Throws ToolError for what is not a path, contains `..`, or means something else than a file's
 * name on Windows: streams of a file, devices, other computers, ends that it drops.
 */
export function pathNames(path: string, platform: NodeJS.Platform = process.platform): string[] {
  if (path.includes('\0') || !path.isWellFormed() || path.length > MAX_PATH_CHARACTERS) {
    throw new ToolError('That is not a valid file path.');
  }
  const isWindows = platform === 'win32';
  if (isWindows && /^[\\/]{2}/.test(path)) {
    throw new ToolError('Paths of other computers and of devices can’t be used.');
  }
  const names = path.split(isWindows ? /[\\/]+/ : /\/+/).filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new ToolError(`“${path}” contains “..”; write the path without it.`);
  if (isWindows) {
    const isDriven = /^[a-z]:[\\/]/i.test(path);
    for (const name of isDriven ? names.slice(1) : names) refuseOnWindows(name);
  }
  return names;
}

function refuseOnWindows(name: string): void {
  const stem = name.split('.', 1)[0]?.trimEnd() ?? '';
  if (WINDOWS_REFUSES.test(name) || DEVICE.test(stem) || /[. ]$/.test(name)) {
    throw new ToolError(`“${name}” is not a valid file name on Windows.`);
  }
  // It would say that there is no such file.
  if (name.length > MAX_NAME_CHARACTERS) throw new ToolError(`The name “${name}” is too long.`);
}

/** Refuses names for new files and folders that would show as something else than they are. */
export function requirePlainName(name: string): void {
  if (MISLEADING.test(name)) {
    throw new ToolError('The name contains invisible characters; use a plain name.');
  }
}

/** Whether a real path is that of the folder or of something in it. Both absolute, with no link and no `..` in them. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
