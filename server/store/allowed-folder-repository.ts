import { deletePermissionsAt } from './tool-permission-repository.ts';
import type { Reader, Writer } from './types.ts';

/** A folder that a person allowed tools to work in. */
export interface StoredAllowedFolder {
  id: string;
  /** What models call it; no two have the same. */
  name: string;
  /** Its real path when it was allowed; no two have the same. */
  path: string;
  createdAt: string;
}

const COLUMNS = 'id, name, path, created_at AS createdAt';

/** All of them, oldest first. */
export function listAllowedFolders(reader: Reader): StoredAllowedFolder[] {
  return reader.all<StoredAllowedFolder>(`SELECT ${COLUMNS} FROM folders ORDER BY created_at, id`);
}

/** Stores one more. */
export function createAllowedFolder(
  writer: Writer,
  { id, name, path, createdAt }: StoredAllowedFolder,
): void {
  writer.run('INSERT INTO folders (id, name, path, created_at) VALUES (?, ?, ?, ?)', [
    id,
    name,
    path,
    createdAt,
  ]);
}

/** What “always” is remembered for of tools that work in a folder. */
export const placeOfFolder = (id: string): string => `folder:${id}`;

/** Takes one off the list, with what was always allowed in it, and returns it; null: there was none. */
export function deleteAllowedFolder(writer: Writer, id: string): StoredAllowedFolder | null {
  const folder = writer.get<StoredAllowedFolder>(`SELECT ${COLUMNS} FROM folders WHERE id = ?`, [id]);
  if (folder === null) return null;
  writer.run('DELETE FROM folders WHERE id = ?', [id]);
  deletePermissionsAt(writer, placeOfFolder(id));
  return folder;
}
