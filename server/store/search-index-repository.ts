/**
 * What makes messages searchable. A full-text index is several times cheaper to add to in batches than message by
 * message, so it runs behind: `indexed_to` is the last message it has passed. It passes a reply that isn't final yet
 * without taking it; finishing that reply then adds it.
 */
import type { Reader, Writer } from './types.ts';

const readIndexedTo = (reader: Reader): number =>
  reader.get<{ indexedTo: number }>('SELECT indexed_to AS indexedTo FROM search_index')?.indexedTo ?? 0;

/** Whether there are messages that the index hasn't passed. */
export function hasUnindexedMessages(reader: Reader): boolean {
  const last = reader.get<{ last: number | null }>('SELECT max(seq) AS last FROM messages')?.last ?? 0;
  return last > readIndexedTo(reader);
}

/** Takes the index past the next messages, `limit` at most. */
export function indexNextMessages(writer: Writer, limit: number): void {
  const from = readIndexedTo(writer);
  const to = writer.get<{ last: number | null }>(
    'SELECT max(seq) AS last FROM (SELECT seq FROM messages WHERE seq > ? ORDER BY seq LIMIT ?)',
    [from, limit],
  )?.last;
  if (to === null || to === undefined) return;
  // The text is taken from the rows, here and at recovery: it need not stand in the log once more.
  writer.run(
    `INSERT INTO messages_found (docid, content) SELECT seq, content FROM messages
      WHERE seq > ? AND seq <= ? AND content <> '' AND (role = 'user' OR status NOT IN ('pending', 'streaming'))`,
    [from, to],
  );
  writer.run('UPDATE search_index SET indexed_to = ?', [to]);
}

/** Adds a reply that has just been made final, if the index has passed it already. */
export function indexFinishedReply(writer: Writer, seq: number): void {
  if (seq > readIndexedTo(writer)) return;
  writer.run(
    `INSERT INTO messages_found (docid, content) SELECT seq, content FROM messages WHERE seq = ? AND content <> ''`,
    [seq],
  );
}
