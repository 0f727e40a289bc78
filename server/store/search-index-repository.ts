/**
 * What makes messages searchable. A full-text index is several times cheaper to add to in batches than message by
 * message, so it runs behind: `indexed_to` is the last message it has passed. It passes a reply that isn't final yet
 * without taking it; finishing that reply then adds it. The indexes have the words that shared/search-text.ts makes of texts, by the
 * view `message_words`. When those change, a migration sets `indexed_to` to 0, and the indexes are made anew, one after the other.
 *
 * FTS4 reads all matches of a prefix before it returns the first, so there is one index for each
 * {@link INDEX_MESSAGES} numbers of messages, and a search asks one after the other. All up to that of `indexed_to` exist.
 */
import { MESSAGE_BYTES } from './pieces.ts';
import { readValue } from './table.ts';
import type { Reader, Writer } from './types.ts';

/** How many numbers of messages an index is for. */
export const INDEX_MESSAGES = 32_768;
const indexFor = (seq: number): number => Math.floor((seq - 1) / INDEX_MESSAGES);
/** The first number of a message that can be in the same index. */
export const indexStart = (seq: number): number => indexFor(seq) * INDEX_MESSAGES + 1;
/** The index that the message of that number is in, if it is in one. */
export const indexTable = (seq: number): string => `messages_found_${indexFor(seq)}`;

/** The `seq` of the last message there is; 0 when there is none. */
export const lastMessageSeq = (reader: Reader): number =>
  readValue<number>(reader, 'SELECT max(seq) FROM messages') ?? 0;

/** The number of the last message that the index has passed. */
export const readIndexedTo = (reader: Reader): number =>
  readValue<number>(reader, 'SELECT indexed_to FROM search_index') ?? 0;

/** Whether there are messages that the index hasn't passed. */
export const hasUnindexedMessages = (reader: Reader): boolean =>
  lastMessageSeq(reader) > readIndexedTo(reader);

/** Indexes the next messages: up to `limit`. Call it only while {@link hasUnindexedMessages}. */
export function indexNextMessages(writer: Writer, limit: { messages: number; bytes: number }): void {
  const from = readIndexedTo(writer);
  const table = indexTable(from + 1);
  if (from % INDEX_MESSAGES === 0) {
    // One of an earlier version may be there.
    writer.run(`DROP TABLE IF EXISTS ${table}`);
    writer.run(
      `CREATE VIRTUAL TABLE ${table} USING fts4(content="message_words", words, tokenize=simple, order=desc)`,
    );
  }
  const end = (indexFor(from + 1) + 1) * INDEX_MESSAGES;
  // Without messages up to its end, the next index is the one to go on with.
  const to = findBatchEnd(writer, [from, end], limit) ?? end;
  // The text comes from the rows, here and at recovery, so it isn't in the log twice.
  writer.run(
    `INSERT INTO ${table} (docid, words) SELECT rowid, words FROM message_words
      WHERE rowid IN (SELECT seq FROM messages WHERE seq > ? AND seq <= ? AND content <> ''
        AND (role = 'user' OR status NOT IN ('pending', 'streaming')))`,
    [from, to],
  );
  // Merges a few pages of the index with each write, instead of sixteen parts at once: that took 40 ms. SQLite's `automerge` does nothing
  // for writes as small as these.
  writer.run(`INSERT INTO ${table} (${table}) VALUES ('merge=16,4')`);
  writer.run('UPDATE search_index SET indexed_to = ?', [to]);
}

/** The last message of a batch, which has one at least; null: there are none. */
function findBatchEnd(
  reader: Reader,
  range: [afterSeq: number, lastSeq: number],
  limit: { messages: number; bytes: number },
): number | null {
  const rows = reader.all<{ seq: number; bytes: number }>(
    `SELECT seq, ${MESSAGE_BYTES} AS bytes FROM messages WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
    [...range, limit.messages],
  );
  let total = 0;
  let end: number | null = null;
  for (const { seq, bytes } of rows) {
    total += bytes;
    if (end !== null && total > limit.bytes) break;
    end = seq;
  }
  return end;
}

/** Adds a message whose text or place has just become final, if the index has passed it already. */
export function indexNow(writer: Writer, seq: number): void {
  if (seq > readIndexedTo(writer)) return;
  writer.run(
    `INSERT INTO ${indexTable(seq)} (docid, words) SELECT rowid, words FROM message_words
      WHERE rowid = (SELECT seq FROM messages WHERE seq = ? AND content <> '')`,
    [seq],
  );
}

/** Takes a message out of the index, if it is in it. Call it while the message still has the text it was indexed with. */
export function unindexMessage(writer: Writer, seq: number): void {
  if (seq > readIndexedTo(writer)) return;
  // The index reads the words to remove from the row, so the row must be as it was when indexed.
  writer.run(
    `DELETE FROM ${indexTable(seq)} WHERE docid = (SELECT seq FROM messages WHERE seq = ? AND content <> ''
      AND (role = 'user' OR status NOT IN ('pending', 'streaming')))`,
    [seq],
  );
}

/** Call this after removing messages: numbers at the end are reused, and the new messages must be indexed too. */
export function lowerIndexedTo(writer: Writer): void {
  writer.run(
    `UPDATE search_index SET indexed_to = (SELECT coalesce(max(seq), 0) FROM messages)
      WHERE indexed_to > (SELECT coalesce(max(seq), 0) FROM messages)`,
  );
}
