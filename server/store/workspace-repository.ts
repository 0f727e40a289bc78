import type { Reader, Writer } from './types.ts';

/** A workspace as it is stored and as clients see it. */
export interface Workspace {
  id: string;
  name: string;
  createdAt: string;
  /** The model of its new chats; null: the built-in one. */
  defaultModel: string | null;
}

const COLUMNS = 'id, name, created_at AS createdAt, default_model AS defaultModel';

/** All workspaces, oldest first. */
export function listWorkspaces(reader: Reader): Workspace[] {
  return reader.all<Workspace>(`SELECT ${COLUMNS} FROM workspaces ORDER BY created_at, id`);
}

/** The workspace of that id, or null. */
export function findWorkspace(reader: Reader, id: string): Workspace | null {
  return reader.get<Workspace>(`SELECT ${COLUMNS} FROM workspaces WHERE id = ?`, [id]);
}

/** A workspace to be stored; it begins with the built-in model unless it names another. */
export type NewWorkspace = Omit<Workspace, 'defaultModel'> & Partial<Pick<Workspace, 'defaultModel'>>;

/** Stores a new workspace. */
export function createWorkspace(writer: Writer, workspace: NewWorkspace): void {
  writer.run('INSERT INTO workspaces (id, name, created_at, default_model) VALUES (?, ?, ?, ?)', [
    workspace.id,
    workspace.name,
    workspace.createdAt,
    workspace.defaultModel ?? null,
  ]);
}

/** Gives a workspace another name. */
export function updateWorkspaceName(writer: Writer, id: string, name: string): void {
  writer.run('UPDATE workspaces SET name = ? WHERE id = ?', [name, id]);
}

/** Gives the new chats of a workspace another model; null: the built-in one. */
export function updateDefaultModel(writer: Writer, id: string, model: string | null): void {
  writer.run('UPDATE workspaces SET default_model = ? WHERE id = ?', [model, id]);
}

/** Takes the models of the connection with that slug from all workspaces that begin with one of them. */
export function dropDefaultModels(writer: Writer, slug: string): void {
  const prefix = `${slug}/`;
  writer.run('UPDATE workspaces SET default_model = NULL WHERE substr(default_model, 1, ?) = ?', [
    prefix.length,
    prefix,
  ]);
}

/** How many workspaces there are. */
export function countWorkspaces(reader: Reader): number {
  return reader.get<{ total: number }>('SELECT count(*) AS total FROM workspaces')?.total ?? 0;
}
