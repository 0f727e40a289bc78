import type { Reader, Writer } from './types.ts';

/** What an “always” is about: one tool as it was described, in one workspace, with one folder, site or server. */
export interface PermissionScope {
  workspaceId: string;
  tool: string;
  /** `folder:<id>`, `server:<id>` or `site:<host>`; empty: the tool has none of these. */
  place: string;
  /** Tells the tool's description from another; empty: it never changes. */
  described: string;
}

/** A tool that a person said “always” of. */
export interface ToolPermission extends PermissionScope {
  id: string;
  /** What people call the place; empty where there is none. */
  placeName: string;
  createdAt: string;
}

const COLUMNS = `id, workspace_id AS workspaceId, tool, place, place_name AS placeName, described, created_at AS createdAt`;

/** All that is always allowed, by the tool's name. */
export function listToolPermissions(reader: Reader): ToolPermission[] {
  return reader.all<ToolPermission>(
    `SELECT ${COLUMNS} FROM allowances ORDER BY tool, workspace_id, place_name, id`,
  );
}

/** What was said of a tool there, however it was described then; null: nothing. */
export function findToolPermission(
  reader: Reader,
  { workspaceId, tool, place }: Omit<PermissionScope, 'described'>,
): ToolPermission | null {
  return reader.get<ToolPermission>(
    `SELECT ${COLUMNS} FROM allowances WHERE workspace_id = ? AND tool = ? AND place = ?`,
    [workspaceId, tool, place],
  );
}

/** Has a tool always allowed there from here on, as it is described now. */
export function updateToolPermission(writer: Writer, permission: ToolPermission): void {
  writer.run(
    `INSERT OR REPLACE INTO allowances (id, workspace_id, tool, place, place_name, described, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [
      permission.id,
      permission.workspaceId,
      permission.tool,
      permission.place,
      permission.placeName,
      permission.described,
      permission.createdAt,
    ],
  );
}

/** Takes one back. */
export function deleteToolPermission(writer: Writer, id: string): void {
  writer.run('DELETE FROM allowances WHERE id = ?', [id]);
}

/** Takes back all that is about a place. */
export function deletePermissionsAt(writer: Writer, place: string): void {
  writer.run('DELETE FROM allowances WHERE place = ?', [place]);
}
