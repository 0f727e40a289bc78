import type { Note } from '../../shared/api/note.ts';
import { defineTable, text, type RowOf } from './table.ts';

const NOTES = defineTable('notes', { id: text(), workspaceId: text(), text: text(), createdAt: text() });

/** Something a person asked to have remembered. */
type StoredNote = RowOf<typeof NOTES.columns>;

/** A note as clients get it. */
export const toNote = ({ id, text, createdAt }: StoredNote): Note => ({ id, text, createdAt });

/** A workspace's notes, newest first. */
export const listNotes = NOTES.list<[workspaceId: string]>(
  'WHERE workspace_id = ? ORDER BY created_at DESC, id',
);

/** A workspace's note of an id; null: it has none. */
export const findNote = NOTES.first<[workspaceId: string, id: string]>('WHERE workspace_id = ? AND id = ?');

/** Changes the text of a workspace's note. */
export const updateNote = NOTES.update(['text'], 'WHERE workspace_id = ? AND id = ?');

/** Whether there is a note of that id, in any workspace. */
export const hasNote = NOTES.has<[id: string]>('WHERE id = ?');

/** Stores a new note. */
export const createNote = NOTES.insert;

/** Removes a note; false when that workspace has none of that id. */
export const deleteNote = NOTES.delete<[workspaceId: string, id: string]>(
  'WHERE workspace_id = ? AND id = ?',
);
