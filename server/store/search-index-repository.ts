/**
 * What makes messages searchable. A full-text index is several times cheaper to add to in batches than message by
 * message, so it runs behind: `indexed_to` is the last message it has passed. It passes a reply that isn't final yet
 * without taking it; finishing that reply then adds it.
 */
import { findPartEnd } from './pieces.ts';
import { lastMessageSeq } from './search-repository.ts';
import type { Reader, Writer } from './types.ts';

const readIndexedTo = (reader: Reader): number =>
  reader.get<{ indexedTo: number }>('SELECT indexed_to AS indexedTo FROM search_index')?.indexedTo ?? 0;

/** Whether there are messages that the index hasn't passed. */
export function hasUnindexedMessages(reader: Reader): boolean {
  return lastMessageSeq(reader) > readIndexedTo(reader);
}

/** Indexes the next messages: up to `limit`, but at least one message. */
export function indexNextMessages(writer: Writer, limit: { messages: number; bytes: number }): void {
  const from = readIndexedTo(writer);
  const to = findPartEnd(writer, { where: 'seq > ?', params: [from] }, limit);
  if (to === null) return;
  // The text comes from the rows, here and at recovery, so it isn't in the log twice.
  writer.run(
    `INSERT INTO messages_found (docid, content) SELECT seq, content FROM messages
      WHERE seq > ? AND seq <= ? AND content <> '' AND (role = 'user' OR status NOT IN ('pending', 'streaming'))`,
    [from, to],
  );
  writer.run('UPDATE search_index SET indexed_to = ?', [to]);
}

/** Adds a message whose text or place has just become final, if the index has passed it already. */
export function indexNow(writer: Writer, seq: number): void {
  if (seq > readIndexedTo(writer)) return;
  writer.run(
    `INSERT INTO messages_found (docid, content) SELECT seq, content FROM messages WHERE seq = ? AND content <> ''`,
    [seq],
  );
}

/** Takes a message out of the index, if it is in it. Call it while the message still has the text it was indexed with. */
export function unindexMessage(writer: Writer, seq: number): void {
  // The index reads the words to remove from the row, so the row must be as it was when indexed.
  writer.run(
    `DELETE FROM messages_found WHERE docid = (SELECT seq FROM messages WHERE seq = ? AND content <> ''
      AND seq <= (SELECT indexed_to FROM search_index) AND (role = 'user' OR status NOT IN ('pending', 'streaming')))`,
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
