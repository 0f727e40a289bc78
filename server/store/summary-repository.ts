/**
 * Summaries that stand for the earlier part of a conversation. A summary counts while the last user message that it stands
 * for is listed: then so is all that came before it, since another version hides the whole branch after it. Those of other
 * versions are kept, and count again when their version is chosen. Which messages clients see as `compacted` follows from that
 * (message-json.ts).
 */
import { IS_LISTED, LINKED_MESSAGES, isShown } from './listed.ts';
import { findReplyStanding } from './message-repository.ts';
import { defineTable, plain, readValue, text, type RowOf } from './table.ts';
import type { Reader, SqlValue, Writer } from './types.ts';

const SUMMARIES = defineTable('summaries', {
  id: text(),
  chatId: text(),
  /** The last user message that it stands for; the reply to that is summarised with it. */
  uptoSeq: plain<number>(),
  uptoId: text(),
  /** The last message that the chat had when it was made, except those waiting or under way, which were answered with it. */
  madeAtSeq: plain<number>(),
  text: text(),
  /** Name of the model that made it. */
  model: text(),
  createdAt: text(),
});

/** A summary as it is stored. */
export type StoredSummary = RowOf<typeof SUMMARIES.columns>;

const COUNTS = `EXISTS (
  SELECT 1 FROM messages AS last WHERE last.seq = summaries.upto_seq AND last.chat_id = summaries.chat_id
    AND ${isShown('last.')} AND last.deleted_at IS NULL)`;

const findLatest = SUMMARIES.first<[chatId: string, beforeSeq: number]>(
  `WHERE chat_id = ? AND upto_seq < ? AND ${COUNTS} ORDER BY upto_seq DESC LIMIT 1`,
);

/** In a statement over messages: up to which place user messages of its chat, with their replies, are summarised; null: none is. */
export const SUMMARISED_TO = `(SELECT max(upto_seq) FROM summaries WHERE summaries.chat_id = messages.chat_id AND ${COUNTS})`;

/** Whether a chat has any summary. */
export const hasSummaries = SUMMARIES.has<[chatId: string]>('WHERE chat_id = ? LIMIT 1');

/** The latest summary of a chat that counts, of what is before `beforeSeq`; null when there is none. */
export const findSummary = (
  reader: Reader,
  chatId: string,
  beforeSeq = Number.MAX_SAFE_INTEGER,
): StoredSummary | null => findLatest(reader, chatId, beforeSeq);

/** Stores a summary, replacing those that cover the same messages. */
export function createSummary(writer: Writer, summary: StoredSummary): void {
  writer.run('DELETE FROM summaries WHERE chat_id = ? AND upto_seq = ?', [summary.chatId, summary.uptoSeq]);
  SUMMARIES.insert(writer, summary);
}

/** Removes the summaries that may hold something of the user message at `seq` or of its reply. */
export const deleteSummariesFrom = SUMMARIES.delete<[chatId: string, seq: number]>(
  'WHERE chat_id = ? AND upto_seq >= ?',
);

/** Removes all summaries of a chat. */
export const deleteSummaries = SUMMARIES.delete<[chatId: string]>('WHERE chat_id = ?');

/** The last listed message that a summary stands for, by its place in the list; and how many there are. */
export function describeCompacted(
  reader: Reader,
  { chatId, uptoSeq, uptoId }: Pick<StoredSummary, 'chatId' | 'uptoSeq' | 'uptoId'>,
): { upTo: string; messages: number } {
  const reply = findReplyStanding(reader, { chatId, seq: uptoSeq, id: uptoId });
  // Replies to earlier messages that were sent in a row come between the last one and its reply.
  const count = (rows: string, ...params: SqlValue[]): number =>
    readValue<number>(reader, `SELECT count(*) FROM ${rows}`, [chatId, ...params]) ?? 0;
  // There may be very many, which the first two count in indexes alone.
  const messages =
    count('messages WHERE chat_id = ? AND seq <= ?', uptoSeq) -
    count(`${LINKED_MESSAGES} AND seq <= ? AND NOT (${IS_LISTED})`, uptoSeq) +
    count(
      `messages WHERE chat_id = ? AND seq > ? AND seq <= (SELECT seq FROM messages WHERE id = ?)
        AND role = 'assistant' AND ${IS_LISTED}`,
      uptoSeq,
      reply?.id ?? null,
    );
  return { upTo: reply?.id ?? uptoId, messages };
}
