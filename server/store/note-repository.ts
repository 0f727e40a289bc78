import type { Reader, Writer } from './types.ts';

/** Something a person asked to have remembered. */
export interface StoredNote {
  id: string;
  workspaceId: string;
  text: string;
  createdAt: string;
}

const COLUMNS = 'id, workspace_id AS workspaceId, text, created_at AS createdAt';

/** A workspace's notes, newest first. */
export function listNotes(reader: Reader, workspaceId: string): StoredNote[] {
  return reader.all<StoredNote>(
    `SELECT ${COLUMNS} FROM notes WHERE workspace_id = ? ORDER BY created_at DESC, id`,
    [workspaceId],
  );
}

/** Whether there is a note of that id, in any workspace. */
export function hasNote(reader: Reader, id: string): boolean {
  return reader.get('SELECT 1 FROM notes WHERE id = ?', [id]) !== null;
}

/** Stores a new note. */
export function createNote(writer: Writer, note: StoredNote): void {
  writer.run('INSERT INTO notes (id, workspace_id, text, created_at) VALUES (?, ?, ?, ?)', [
    note.id,
    note.workspaceId,
    note.text,
    note.createdAt,
  ]);
}

/** Removes a note; false when that workspace has none of that id. */
export function deleteNote(writer: Writer, workspaceId: string, id: string): boolean {
  return writer.run('DELETE FROM notes WHERE workspace_id = ? AND id = ?', [workspaceId, id]) === 1;
}
