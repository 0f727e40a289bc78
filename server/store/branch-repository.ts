/** The conversation as models read it: user messages and the replies to them. */
import { IS_LISTED, MESSAGES, type StoredMessage, type ToolReach } from './message-repository.ts';
import { contentOf, withText } from './message-text.ts';
import type { Reader } from './types.ts';

const FIELDS = [
  'seq',
  'id',
  'content',
  'attachments',
  'steps',
  'stopReason',
  'replyTo',
  'model',
  'usage',
  'status',
  'createdAt',
] as const;

/** The parts of an earlier message that a model sees, and the tokens it took. */
export type HistoryRow = Pick<StoredMessage, (typeof FIELDS)[number]>;

const HISTORY = MESSAGES.only(...FIELDS, 'contentJson');
const listQuestions = HISTORY.list<[chatId: string, afterSeq: number, beforeSeq: number, limit: number]>(
  `WHERE chat_id = ? AND seq > ? AND seq < ? AND role = 'user' AND status <> 'pending' AND ${IS_LISTED}
    ORDER BY seq DESC LIMIT ?`,
);
const listReplies = HISTORY.list<[chatId: string, afterSeq: number]>(
  `WHERE chat_id = ? AND seq > ? AND role = 'assistant' AND status NOT IN ('pending', 'streaming') AND ${IS_LISTED}
    ORDER BY seq`,
);

/**
 * A chat's listed user messages after `afterSeq` and before `beforeSeq`, newest first, at most `limit`; those that wait are
 * left out.
 */
export function listQuestionsBefore(
  reader: Reader,
  chatId: string,
  { afterSeq, beforeSeq, limit }: { afterSeq: number; beforeSeq: number; limit: number },
): HistoryRow[] {
  return listQuestions(reader, chatId, afterSeq, beforeSeq, limit).map(withText);
}

/** A chat's listed final replies after `afterSeq`, oldest first. */
export const listRepliesAfter = (reader: Reader, chatId: string, afterSeq: number): HistoryRow[] =>
  listReplies(reader, chatId, afterSeq).map(withText);

const MARKS = ['seq', 'id', 'role', 'replyTo', 'status'] as const;

/** A message of a conversation, without its text. */
export type BranchMark = Pick<StoredMessage, (typeof MARKS)[number]>;

/** A chat's listed messages after `afterSeq`, oldest first, at most `limit`. */
export const listMarks = MESSAGES.only(...MARKS).list<[chatId: string, afterSeq: number, limit: number]>(
  `WHERE chat_id = ? AND seq > ? AND ${IS_LISTED} ORDER BY seq LIMIT ?`,
);

/** When a message of the shown branch after `afterSeq` was last deleted; null: none is deleted. */
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

/** Whether a chat has been answered exactly once, in any version; replies that failed or were stopped don't count. */
export function isFirstReply(reader: Reader, chatId: string): boolean {
  const rows = reader.all(
    `SELECT 1 FROM messages WHERE chat_id = ? AND role = 'assistant' AND status IN ('complete', 'compacted')
      AND stop_reason <> 'stopped' LIMIT 2`,
    [chatId],
  );
  return rows.length === 1;
}

const UP_TO = `chat_id = ? AND seq <= ? AND role = 'user' AND ${IS_LISTED}`;
const findFirst = MESSAGES.only('content', 'contentJson', 'toolReach').first<[chatId: string, seq: number]>(
  `WHERE ${UP_TO} ORDER BY seq LIMIT 1`,
);

/**
 * A chat's first listed user message, up to the one of `seq`: its text and tools, and how many come before the one of
 * `seq`.
 */
export function findOpening(
  reader: Reader,
  chatId: string,
  seq: number,
): { opening: string; turn: number; toolReach: ToolReach | null } | null {
  const first = findFirst(reader, chatId, seq);
  const sql = `SELECT count(*) AS count FROM messages WHERE ${UP_TO}`;
  const count = reader.get<{ count: number }>(sql, [chatId, seq])?.count ?? 0;
  return first && { opening: contentOf(first), turn: Math.max(0, count - 1), toolReach: first.toolReach };
}
