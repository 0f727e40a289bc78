import { defineTable, plain, text, type RowOf } from './table.ts';
import type { Reader, Writer } from './types.ts';

const WORKSPACES = defineTable('workspaces', {
  id: text(),
  name: text(),
  createdAt: text(),
  /** The model of its new chats; null: the offline assistant. */
  defaultModel: plain<string | null>(null),
});

/** A workspace as it is stored and as clients see it. */
export type Workspace = RowOf<typeof WORKSPACES.columns>;

/** All workspaces, oldest first. */
export const listWorkspaces = WORKSPACES.list('ORDER BY created_at, id');

/** The workspace of that id, or null. */
export const findWorkspace = WORKSPACES.first<[id: string]>('WHERE id = ?');

/** Stores a new workspace; it begins with the built-in model unless it names another. */
export const createWorkspace = WORKSPACES.insert;

/** Stores what can be changed of a workspace. */
export const updateWorkspace = WORKSPACES.update(['name', 'defaultModel'], 'WHERE id = ?');

/** Takes the models of the connection with that slug from all workspaces and projects that begin with one of them. */
export function dropDefaultModels(writer: Writer, slug: string): void {
  const prefix = `${slug}/`;
  for (const table of ['workspaces', 'projects'])
    writer.run(`UPDATE ${table} SET default_model = NULL WHERE substr(default_model, 1, ?) = ?`, [
      prefix.length,
      prefix,
    ]);
}

/** How many workspaces there are. */
export const countWorkspaces = WORKSPACES.count();

/** Whether a workspace has no chats (deleted ones count), notes, projects, prompts or schedules. */
export const isEmptyWorkspace = (reader: Reader, id: string): boolean =>
  ['chats', 'notes', 'projects', 'prompts', 'schedules'].every(
    (table) => reader.get(`SELECT 1 AS found FROM ${table} WHERE workspace_id = ? LIMIT 1`, [id]) === null,
  );
