/** The conversation as models read it: user messages and the replies to them. */
import type { MessageStatus, Usage } from '../../shared/api/message.ts';
import { IS_LISTED, parseSteps, type StoredMessage } from './message-repository.ts';
import { contentOf } from './message-text.ts';
import type { Reader, SqlValue } from './types.ts';

/** What of an earlier message a model gets to see, and what it took. */
export type HistoryRow = Pick<
  StoredMessage,
  'seq' | 'id' | 'content' | 'steps' | 'stopReason' | 'replyTo' | 'model' | 'usage' | 'createdAt'
> & { status: MessageStatus };

const COLUMNS = `seq, id, content, content_json AS contentJson, steps, stop_reason AS stopReason, reply_to AS replyTo, model,
  usage, status, created_at AS createdAt`;

type Row = Omit<HistoryRow, 'steps' | 'usage'> & {
  steps: string | null;
  usage: string | null;
  contentJson: number;
};

const listRows = (reader: Reader, sql: string, params: SqlValue[]): HistoryRow[] =>
  reader.all<Row>(sql, params).map(({ contentJson, ...row }) => ({
    ...row,
    content: contentOf({ content: row.content, contentJson }),
    steps: parseSteps(row.steps),
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Usage),
  }));

/**
 * A chat's listed user messages after `afterSeq` and before `beforeSeq`, newest first, at most `limit`; those that wait are
 * left out.
 */
export function listQuestionsBefore(
  reader: Reader,
  chatId: string,
  { afterSeq, beforeSeq, limit }: { afterSeq: number; beforeSeq: number; limit: number },
): HistoryRow[] {
  return listRows(
    reader,
    `SELECT ${COLUMNS} FROM messages
      WHERE chat_id = ? AND seq > ? AND seq < ? AND role = 'user' AND status <> 'pending' AND ${IS_LISTED}
      ORDER BY seq DESC LIMIT ?`,
    [chatId, afterSeq, beforeSeq, limit],
  );
}

/** A chat's listed final replies after `afterSeq`, oldest first. */
export function listRepliesAfter(reader: Reader, chatId: string, afterSeq: number): HistoryRow[] {
  return listRows(
    reader,
    `SELECT ${COLUMNS} FROM messages
      WHERE chat_id = ? AND seq > ? AND role = 'assistant' AND status NOT IN ('pending', 'streaming') AND ${IS_LISTED}
      ORDER BY seq`,
    [chatId, afterSeq],
  );
}

/** When a message of the shown branch after `afterSeq` was deleted last; null: none is. */
export const lastDeletedAt = (reader: Reader, chatId: string, afterSeq: number): string | null =>
  reader.get<{ at: string | null }>(
    'SELECT max(deleted_at) AS at FROM messages WHERE chat_id = ? AND seq > ? AND hidden_by IS NULL',
    [chatId, afterSeq],
  )?.at ?? null;

/** The last message of a chat that is not waiting or under way; 0: there is none. */
export const lastSettledSeq = (reader: Reader, chatId: string): number =>
  reader.get<{ seq: number | null }>(
    `SELECT max(seq) AS seq FROM messages WHERE chat_id = ? AND status NOT IN ('pending', 'streaming')`,
    [chatId],
  )?.seq ?? 0;

/** Whether a chat has been answered once, in whatever version; replies that failed or were stopped don't count. */
export function isFirstReply(reader: Reader, chatId: string): boolean {
  const rows = reader.all(
    `SELECT 1 FROM messages WHERE chat_id = ? AND role = 'assistant' AND status IN ('complete', 'compacted')
      AND stop_reason <> 'stopped' LIMIT 2`,
    [chatId],
  );
  return rows.length === 1;
}
