import { defineTable, text, type Row } from './table.ts';
import { deletePermissionsAt } from './tool-permission-repository.ts';
import type { Writer } from './types.ts';

const FOLDERS = defineTable('folders', {
  id: text(),
  /** What models call it; no two have the same. */
  name: text(),
  /** Its real path when it was allowed; no two have the same. */
  path: text(),
  createdAt: text(),
});

/** A folder that a person allowed tools to work in. */
export type StoredAllowedFolder = Row<typeof FOLDERS.columns>;

/** All of them, oldest first. */
export const listAllowedFolders = FOLDERS.list('ORDER BY created_at, id');

const findFolder = FOLDERS.first<[id: string]>('WHERE id = ?');
const deleteFolder = FOLDERS.delete<[id: string]>('WHERE id = ?');

/** Stores one more. */
export const createAllowedFolder = FOLDERS.insert;

/** What “always” is remembered for of tools that work in a folder. */
export const placeOfFolder = (id: string): string => `folder:${id}`;

/** Takes one off the list, with what was always allowed in it, and returns it; null: there was none. */
export function deleteAllowedFolder(writer: Writer, id: string): StoredAllowedFolder | null {
  const folder = findFolder(writer, id);
  if (folder === null) return null;
  deleteFolder(writer, id);
  deletePermissionsAt(writer, placeOfFolder(id));
  return folder;
}
