import { defineTable, text, type RowOf } from './table.ts';
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
export type StoredAllowedFolder = RowOf<typeof FOLDERS.columns>;

/** All of them, oldest first. */
export const listAllowedFolders = FOLDERS.list('ORDER BY created_at, id');

const findFolder = FOLDERS.first<[id: string]>('WHERE id = ?');
const deleteFolder = FOLDERS.delete<[id: string]>('WHERE id = ?');

/** Stores a new folder. */
export const createAllowedFolder = FOLDERS.insert;

/** The place under which an “always” for tools working in a folder is remembered. */
export const placeOfFolder = (id: string): string => `folder:${id}`;

/** Removes a folder and every “always” given for it; returns the folder, or null if there was none. */
export function deleteAllowedFolder(writer: Writer, id: string): StoredAllowedFolder | null {
  const folder = findFolder(writer, id);
  if (folder === null) return null;
  deleteFolder(writer, id);
  deletePermissionsAt(writer, placeOfFolder(id));
  return folder;
}
