import type { Prompt } from '../../shared/api/prompt.ts';
import { placeholdersOf } from '../../shared/placeholders.ts';
import { defineTable, text, type RowOf } from './table.ts';

const PROMPTS = defineTable('prompts', {
  id: text(),
  workspaceId: text(),
  name: text(),
  text: text(),
  createdAt: text(),
  updatedAt: text(),
});

/** A text kept for reuse. */
export type StoredPrompt = RowOf<typeof PROMPTS.columns>;

/** A prompt as clients get it. */
export const toPrompt = ({ id, name, text, createdAt, updatedAt }: StoredPrompt): Prompt => ({
  id,
  name,
  text,
  placeholders: placeholdersOf(text),
  createdAt,
  updatedAt,
});

/** A workspace's prompts, by name. */
export const listPrompts = PROMPTS.list<[workspaceId: string]>(
  'WHERE workspace_id = ? ORDER BY name COLLATE NOCASE, id',
);

/** A workspace's prompt of an id; null: it has none. */
export const findPrompt = PROMPTS.first<[workspaceId: string, id: string]>(
  'WHERE workspace_id = ? AND id = ?',
);

/** Whether there is a prompt of that id, in any workspace. */
export const hasPrompt = PROMPTS.has<[id: string]>('WHERE id = ?');

/** How many prompts a workspace has. */
export const countPrompts = PROMPTS.count<[workspaceId: string]>('WHERE workspace_id = ?');

/** Stores a new prompt. */
export const createPrompt = PROMPTS.insert;

/** Changes a prompt. */
export const updatePrompt = PROMPTS.update(['name', 'text', 'updatedAt'], 'WHERE id = ?');

/** Removes a prompt. */
export const deletePrompt = PROMPTS.delete<[id: string]>('WHERE id = ?');
