/**
 * Summaries that stand for the earlier part of a conversation. A summary counts while the last user message that it stands
 * for is listed: then so is all that came before it, since another version hides the whole branch after it. Those of other
 * versions are kept, and count again when their version is chosen. Which messages are `compacted` follows from that.
 */
import { IS_LISTED } from './message-repository.ts';
import { defineTable, plain, text, type Row } from './table.ts';
import type { Reader, Writer } from './types.ts';

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
export type StoredSummary = Row<typeof SUMMARIES.columns>;

const findLatest = SUMMARIES.first<[chatId: string, beforeSeq: number, sameChatId: string]>(
  `WHERE chat_id = ? AND upto_seq < ?
    AND EXISTS (SELECT 1 FROM messages WHERE seq = upto_seq AND chat_id = ? AND ${IS_LISTED})
    ORDER BY upto_seq DESC, made_at_seq DESC LIMIT 1`,
);

/** The latest summary of a chat that counts, of what is before `beforeSeq`; null when there is none. */
export const findSummary = (
  reader: Reader,
  chatId: string,
  beforeSeq = Number.MAX_SAFE_INTEGER,
): StoredSummary | null => findLatest(reader, chatId, beforeSeq, chatId);

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

const IS_COMPACTED = `(CASE role WHEN 'user' THEN seq <= ? ELSE reply_to IN (
  SELECT id FROM messages WHERE chat_id = ? AND role = 'user' AND seq <= ? AND ${IS_LISTED}) END)`;

/**
 * Sets the statuses of a chat's listed messages to show what is summarised now; call it whenever that may have changed.
 * A failed reply keeps its status, which says more.
 */
export function settleCompacted(writer: Writer, chatId: string): void {
  const upto = findSummary(writer, chatId)?.uptoSeq ?? 0;
  const summarised = [upto, chatId, upto];
  writer.run(
    `UPDATE messages SET status = 'complete'
      WHERE chat_id = ? AND status = 'compacted' AND ${IS_LISTED} AND NOT coalesce(${IS_COMPACTED}, 0)`,
    [chatId, ...summarised],
  );
  if (upto === 0) return;
  writer.run(
    `UPDATE messages SET status = 'compacted'
      WHERE chat_id = ? AND status = 'complete' AND ${IS_LISTED} AND ${IS_COMPACTED}`,
    [chatId, ...summarised],
  );
}

/** The last listed message that a summary stands for, by its place in the list; and how many there are. */
export function describeCompacted(
  reader: Reader,
  { chatId, uptoSeq }: Pick<StoredSummary, 'chatId' | 'uptoSeq'>,
): { upTo: string; messages: number } | null {
  return reader.get<{ upTo: string; messages: number }>(
    `SELECT id AS upTo, count(*) OVER () AS messages FROM messages
      WHERE chat_id = ? AND ${IS_LISTED} AND ${IS_COMPACTED} ORDER BY seq DESC LIMIT 1`,
    [chatId, uptoSeq, chatId, uptoSeq],
  );
}
