import type { Reader, Writer } from './types.ts';

/** A workspace as it is stored and as clients see it. */
export interface Workspace {
  id: string;
  name: string;
  createdAt: string;
}

const COLUMNS = 'id, name, created_at AS createdAt';

/** All workspaces, oldest first. */
export function listWorkspaces(reader: Reader): Workspace[] {
  return reader.all<Workspace>(`SELECT ${COLUMNS} FROM workspaces ORDER BY created_at, id`);
}

/** The workspace of that id, or null. */
export function findWorkspace(reader: Reader, id: string): Workspace | null {
  return reader.get<Workspace>(`SELECT ${COLUMNS} FROM workspaces WHERE id = ?`, [id]);
}

/** Stores a new workspace. */
export function createWorkspace(writer: Writer, workspace: Workspace): void {
  writer.run('INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?)', [
    workspace.id,
    workspace.name,
    workspace.createdAt,
  ]);
}

/** Gives a workspace another name. */
export function updateWorkspaceName(writer: Writer, id: string, name: string): void {
  writer.run('UPDATE workspaces SET name = ? WHERE id = ?', [name, id]);
}

/** How many workspaces there are. */
export function countWorkspaces(reader: Reader): number {
  return reader.get<{ total: number }>('SELECT count(*) AS total FROM workspaces')?.total ?? 0;
}
