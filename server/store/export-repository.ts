/** What exports and backups read: chats message by message as JSON text, and how the messages are linked. */
import { MESSAGE_JSON, EXPORTED_MESSAGE_JSON } from './message-json.ts';
import { IS_LISTED, LINKED, isShown } from './listed.ts';
import { MESSAGE_BYTES, PIECE_BYTES, PIECE_ROWS, breathe, findPartEnd } from './pieces.ts';
import { readValue } from './table.ts';
import type { Reader, SqlValue, Store } from './types.ts';
import type { MessagePlace } from './version-repository.ts';

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
export type LinkRow = Pick<MessagePlace, 'id' | 'versionOf' | 'retryOf' | 'hiddenBy'> & {
  isDeleted: boolean;
};

/** The messages of a chat that are deleted, hidden or have versions. */
export function listLinks(reader: Reader, chatId: string): LinkRow[] {
  return reader
    .all<Omit<LinkRow, 'isDeleted'> & { isDeleted: number }>(
      `SELECT id, version_of AS versionOf, retry_of AS retryOf, CASE WHEN NOT ${isShown('')} THEN hidden_by END AS hiddenBy, deleted_at IS NOT NULL AS isDeleted
        FROM ${LINKED} ORDER BY seq`,
      [chatId],
    )
    .map((row) => ({ ...row, isDeleted: row.isDeleted === 1 }));
}

/** The places (`seq`) of a chat's messages after `afterSeq` that are hidden or deleted. */
export function listUnlisted(reader: Reader, chatId: string, afterSeq: number): Set<number> {
  // One text, as above: there may be tens of thousands.
  const seqs = readValue<string>(
    reader,
    `SELECT json_group_array(seq) FROM ${LINKED} AND seq > ? AND NOT (${IS_LISTED})`,
    [chatId, afterSeq],
  );
  return new Set(JSON.parse(seqs ?? '[]') as number[]);
}

/** The `seq` of a chat's last message; 0 when it has none. */
export const findLastSeq = (reader: Reader, chatId: string): number =>
  readValue<number>(reader, 'SELECT max(seq) FROM messages WHERE chat_id = ?', [chatId]) ?? 0;

/** A message as the JSON text of an API message. */
export interface MessageText {
  seq: number;
  id: string;
  json: string;
}

/** Which of a chat's messages to read. */
export interface MessageSlice {
  /** Those after this one; from the first when absent. */
  afterSeq?: number;
  /** Those up to this one. */
  lastSeq: number;
  /** Shows compacted messages as such; as complete when absent. */
  tellsCompacted?: boolean;
}

/**
 * A chat's messages, hidden and deleted ones too, oldest first, in pieces that are on disk; the event loop is free in
 * between.
 */
export async function* messageTexts(
  store: Pick<Store, 'read' | 'settled'>,
  chatId: string,
  { afterSeq = 0, lastSeq, tellsCompacted = false }: MessageSlice,
): AsyncGenerator<MessageText[]> {
  const json = tellsCompacted ? MESSAGE_JSON : EXPORTED_MESSAGE_JSON;
  const textsSql = `SELECT seq, id, ${json} AS json FROM messages WHERE chat_id = ? AND seq > ? AND seq <= ? ORDER BY seq`;
  for (let place = afterSeq; ;) {
    const rows = store.read((reader) => {
      const rest = { where: 'chat_id = ? AND seq > ? AND seq <= ?', params: [chatId, place, lastSeq] };
      const to = findPartEnd(reader, rest, { messages: PIECE_ROWS, bytes: PIECE_BYTES });
      return to === null ? [] : reader.all<MessageText>(textsSql, [chatId, place, to]);
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    place = last.seq;
    await store.settled();
    yield rows;
    await breathe();
  }
}

/** Totals over all workspaces. */
export interface DataCounts {
  chats: number;
  /** In chats that are not deleted; other versions count too. */
  messages: number;
  deletedChats: number;
}

/** How many messages are counted at once. */
const COUNTED_AT_ONCE = 20_000;

/** Counts from indexes alone. Run it with `readInSlices`. */
export function* countData(reader: Reader): Generator<void, DataCounts> {
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

/** Whether a chat has more messages or text than that after `afterSeq`; hidden and deleted ones count too. */
export function isLongerThan(
  reader: Reader,
  chatId: string,
  afterSeq: number,
  most: { rows: number; bytes: number },
): boolean {
  const size = reader.get<{ rows: number; bytes: number | null }>(
    `SELECT count(*) AS rows, sum(bytes) AS bytes FROM (
      SELECT ${MESSAGE_BYTES} AS bytes FROM messages
        WHERE chat_id = ? AND seq > ? LIMIT ?)`,
    [chatId, afterSeq, most.rows + 1],
  );
  return size !== null && (size.rows > most.rows || (size.bytes ?? 0) > most.bytes);
}
