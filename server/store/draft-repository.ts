/**
 * What is being written and not yet sent. A draft that was emptied keeps its row, with its time, so that an older write that
 * comes late is passed over. The text is kept as a JSON string, since SQLite's text can't hold every string.
 */
import { defineTable, json, text } from './table.ts';
import type { Writer } from './types.ts';

const DRAFTS = defineTable('drafts', {
  workspaceId: text(),
  /** A chat's id, or another name that the window chose. */
  chatKey: text(),
  /** Empty: it was sent or given up. */
  text: json<string>(),
  updatedAt: text(),
});

const OF_WORKSPACE = DRAFTS.only('chatKey', 'text', 'updatedAt');

/** A draft as it is stored. */
type StoredDraft = NonNullable<ReturnType<typeof findDraft>>;

/** A workspace's drafts that hold something, newest first. */
export const listDrafts = OF_WORKSPACE.list<[workspaceId: string]>(
  `WHERE workspace_id = ? AND text <> '""' ORDER BY updated_at DESC, chat_key`,
);

/** The draft of that key, an emptied one too, or null. */
export const findDraft = OF_WORKSPACE.first<[workspaceId: string, chatKey: string]>(
  'WHERE workspace_id = ? AND chat_key = ?',
);

/** Stores a draft in place of the one before. */
export function updateDraft(writer: Writer, workspaceId: string, draft: StoredDraft): void {
  DRAFTS.replace(writer, { workspaceId, ...draft });
}

/** Removes what is left of drafts that were emptied at `until` or before. */
export const deleteForgottenDrafts = DRAFTS.delete<[until: string]>(`WHERE text = '""' AND updated_at <= ?`);
