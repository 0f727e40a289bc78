/** What went wrong with a file, in words. */
import { ToolError } from '../tool.ts';

/** A code like `ENOENT`; null: it is no error of the file system. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** An error of the file system as a ToolError about `shown`; anything else comes back as it is. */
export function explainFileError(error: unknown, shown: string): unknown {
  const code = error instanceof ToolError ? null : codeOf(error);
  if (code === null) return error;
  return new ToolError(sentence(code, shown), { cause: error });
}

function sentence(code: string, shown: string): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return notThere(shown);
    case 'EACCES':
    case 'EPERM':
      return process.platform === 'win32'
        ? `“${shown}” is open in another program, or Parley has no permission for it.`
        : `Parley has no permission for “${shown}”.`;
    case 'EBUSY':
      return `“${shown}” is open in another program; close it there and try again.`;
    case 'EROFS':
      return `“${shown}” is on a disk that can only be read.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk is full, so “${shown}” could not be written. It is as it was before.`;
    case 'EISDIR':
      return `“${shown}” is a folder, not a file.`;
    case 'ELOOP':
      return changed(shown);
    case 'ENAMETOOLONG':
      return `The name “${shown}” is too long.`;
    default:
      return `“${shown}” could not be used (${code}).`;
  }
}

export const NO_FOLDER = 'No folder is allowed yet. A person can allow one in Settings, Tools.';

/** There is nothing of that name. */
export const notThere = (shown: string): string =>
  `There is no “${shown}”. Use list_files or search_files to see what there is.`;

/** It changed while it was being looked at. */
export const changed = (shown: string): string =>
  `“${shown}” was changed by somebody else just now, so it was left alone. Try again.`;

/** A size in words: `512 bytes`, `3.4 KB`, `12 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
