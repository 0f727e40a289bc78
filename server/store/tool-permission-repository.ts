import { defineTable, text, type Row } from './table.ts';
import type { Reader } from './types.ts';

const PERMISSIONS = defineTable('allowances', {
  id: text(),
  workspaceId: text(),
  tool: text(),
  /** `folder:<id>`, `server:<id>` or `site:<host>`; empty: the tool has none of these. */
  place: text(),
  /** What people call the place; empty where there is none. */
  placeName: text(),
  /** Tells the tool's description from another; empty: it never changes. */
  described: text(),
  createdAt: text(),
});

/** A tool that a person said “always” of. */
export type ToolPermission = Row<typeof PERMISSIONS.columns>;

/** What an “always” is about: one tool as it was described, in one workspace, with one folder, site or server. */
export type PermissionScope = Pick<ToolPermission, 'workspaceId' | 'tool' | 'place' | 'described'>;

/** All that is always allowed, by the tool's name. */
export const listToolPermissions = PERMISSIONS.list('ORDER BY tool, workspace_id, place_name, id');

const findOne = PERMISSIONS.first<[workspaceId: string, tool: string, place: string]>(
  'WHERE workspace_id = ? AND tool = ? AND place = ?',
);

/** What was said of a tool there, however it was described then; null: nothing. */
export const findToolPermission = (
  reader: Reader,
  { workspaceId, tool, place }: Omit<PermissionScope, 'described'>,
): ToolPermission | null => findOne(reader, workspaceId, tool, place);

/** Has a tool always allowed there from here on, as it is described now. */
export const updateToolPermission = PERMISSIONS.replace;

/** Takes one back. */
export const deleteToolPermission = PERMISSIONS.delete<[id: string]>('WHERE id = ?');

/** Takes back all that is about a place. */
export const deletePermissionsAt = PERMISSIONS.delete<[place: string]>('WHERE place = ?');
