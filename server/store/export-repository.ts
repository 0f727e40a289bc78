/** What exports and backups read besides messages (message-json.ts): which chats there are, and how their messages are linked. */
import { LINKED_MESSAGES, isShown } from './listed.ts';
import { readValue } from './table.ts';
import type { Reader, SqlValue } from './types.ts';
import type { MessagePosition } from './version-repository.ts';

/** Ids of a workspace's chats, newest change first; archived ones too, deleted ones not. */
export function listChatIds(reader: Reader, workspaceId: string): string[] {
  // One text instead of a row each: thousands of ids are read in a few milliseconds.
  const ids = readValue<string>(
    reader,
    `SELECT json_group_array(id) FROM (
      SELECT id FROM chats WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY updated_at DESC, id)`,
    [workspaceId],
  );
  return JSON.parse(ids ?? '[]') as string[];
}

/** How a message that is deleted, hidden or has versions relates to others; see version-repository.ts. */
export type LinkRow = Pick<MessagePosition, 'id' | 'versionOf' | 'retryOf' | 'hiddenBy'> & {
  isDeleted: boolean;
};

/** The messages of a chat that are deleted, hidden or have versions. */
export function listLinks(reader: Reader, chatId: string): LinkRow[] {
  return reader
    .all<Omit<LinkRow, 'isDeleted'> & { isDeleted: number }>(
      `SELECT id, version_of AS versionOf, retry_of AS retryOf, CASE WHEN NOT ${isShown('')} THEN hidden_by END AS hiddenBy, deleted_at IS NOT NULL AS isDeleted
        FROM ${LINKED_MESSAGES} ORDER BY seq`,
      [chatId],
    )
    .map((row) => ({ ...row, isDeleted: row.isDeleted === 1 }));
}

/** How many messages are counted at once. */
const COUNTED_AT_ONCE = 20_000;

/** Totals over all workspaces, from indexes alone. Run it with `readInSlices`. Other versions of messages count too. */
export function* countData(
  reader: Reader,
): Generator<void, { chats: number; messages: number; deletedChats: number }> {
  const count = (rows: string, params?: SqlValue[]): number =>
    readValue<number>(reader, `SELECT count(*) FROM ${rows}`, params) ?? 0;
  const deletedChats = count('chats WHERE deleted_at IS NOT NULL');
  const deleted = count('messages WHERE deleted_at IS NOT NULL');
  const inDeletedChats = count(
    'messages WHERE deleted_at IS NULL AND chat_id IN (SELECT id FROM chats WHERE deleted_at IS NOT NULL)',
  );
  const chats = count('chats') - deletedChats;
  let messages = -deleted - inDeletedChats;
  for (let last: { chatId: string; seq: number } | null = { chatId: '', seq: 0 }; last !== null;) {
    const after = `(chat_id, seq) > (?, ?) ORDER BY chat_id, seq`;
    const from: SqlValue[] = [last.chatId, last.seq];
    last = reader.get<{ chatId: string; seq: number }>(
      `SELECT chat_id AS chatId, seq FROM messages WHERE ${after} LIMIT 1 OFFSET ?`,
      [...from, COUNTED_AT_ONCE - 1],
    );
    messages += last !== null ? COUNTED_AT_ONCE : count(`(SELECT 1 FROM messages WHERE ${after})`, from);
    yield;
  }
  return { chats, messages, deletedChats };
}
