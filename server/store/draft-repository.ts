/**
 * What is being written and not yet sent. A draft that was emptied keeps its row, with its time, so that an older write that
 * comes late is passed over. The text is kept as a JSON string, since SQLite's text can't hold every string.
 */
import type { Reader, Writer } from './types.ts';

/** A draft as it is stored. */
export interface StoredDraft {
  /** A chat's id, or another name that the window chose. */
  chatKey: string;
  /** Empty: it was sent or given up. */
  text: string;
  updatedAt: string;
}

const COLUMNS = 'chat_key AS chatKey, text, updated_at AS updatedAt';
const NOTHING = JSON.stringify('');

const toDraft = (row: StoredDraft): StoredDraft => ({ ...row, text: JSON.parse(row.text) as string });

/** A workspace's drafts that hold something, newest first. */
export function listDrafts(reader: Reader, workspaceId: string): StoredDraft[] {
  return reader
    .all<StoredDraft>(
      `SELECT ${COLUMNS} FROM drafts WHERE workspace_id = ? AND text <> ? ORDER BY updated_at DESC, chat_key`,
      [workspaceId, NOTHING],
    )
    .map(toDraft);
}

/** The draft of that key, an emptied one too, or null. */
export function findDraft(reader: Reader, workspaceId: string, chatKey: string): StoredDraft | null {
  const row = reader.get<StoredDraft>(
    `SELECT ${COLUMNS} FROM drafts WHERE workspace_id = ? AND chat_key = ?`,
    [workspaceId, chatKey],
  );
  return row && toDraft(row);
}

/** Stores a draft in place of the one before. */
export function updateDraft(writer: Writer, workspaceId: string, draft: StoredDraft): void {
  writer.run('INSERT OR REPLACE INTO drafts (workspace_id, chat_key, text, updated_at) VALUES (?, ?, ?, ?)', [
    workspaceId,
    draft.chatKey,
    JSON.stringify(draft.text),
    draft.updatedAt,
  ]);
}

/** Removes what is left of drafts that were emptied at `until` or before. */
export function deleteForgottenDrafts(writer: Writer, until: string): number {
  return writer.run('DELETE FROM drafts WHERE text = ? AND updated_at <= ?', [NOTHING, until]);
}
