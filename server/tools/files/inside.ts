import { sep } from 'node:path';

/** Whether a real path is that of the folder or of something in it. Both absolute, with no link and no `..` in them. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
