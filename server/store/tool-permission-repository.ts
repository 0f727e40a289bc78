import { defineTable, text, type RowOf } from './table.ts';
import type { Reader } from './types.ts';

const PERMISSIONS = defineTable('allowances', {
  id: text(),
  workspaceId: text(),
  tool: text(),
  /** `folder:<id>`, `server:<id>` or `site:<host>`; empty: the tool has none of these. */
  place: text(),
  /** What people call the place; empty where there is none. */
  placeName: text(),
  /** Identifies the tool's description; empty: it never changes. */
  described: text(),
  createdAt: text(),
});

/** An “always” that a person gave a tool. */
export type ToolPermission = RowOf<typeof PERMISSIONS.columns>;

/** What an “always” is about: one tool as it was described, in one workspace, with one folder, site or server. */
export type PermissionScope = Pick<ToolPermission, 'workspaceId' | 'tool' | 'place' | 'described'>;

/** Everything that is always allowed, by the tool's name. */
export const listToolPermissions = PERMISSIONS.list('ORDER BY tool, workspace_id, place_name, id');

const findOne = PERMISSIONS.first<[workspaceId: string, tool: string, place: string]>(
  'WHERE workspace_id = ? AND tool = ? AND place = ?',
);

/** The permission of a tool there, however it was described then; null: none. */
export const findToolPermission = (
  reader: Reader,
  { workspaceId, tool, place }: Omit<PermissionScope, 'described'>,
): ToolPermission | null => findOne(reader, workspaceId, tool, place);

/** Stores that a tool is always allowed there, as it is described now. */
export const updateToolPermission = PERMISSIONS.replace;

/** Removes a permission. */
export const deleteToolPermission = PERMISSIONS.delete<[id: string]>('WHERE id = ?');

/** Removes all permissions for a place. */
export const deletePermissionsAt = PERMISSIONS.delete<[place: string]>('WHERE place = ?');
