/** The conversation as models read it: user messages and the replies to them. */
import { IS_LISTED, LINKED_MESSAGES, isShown } from './listed.ts';
import { MESSAGES, type StoredMessage, type ToolReach } from './message-repository.ts';
import { contentOf, withText } from './message-text.ts';
import { PIECE } from './pieces.ts';
import { readValue } from './table.ts';
import type { Reader } from './types.ts';

const FIELDS = [
  'seq',
  'id',
  'role',
  'content',
  'attachments',
  'steps',
  'rounds',
  'stopReason',
  'replyTo',
  'model',
  'usage',
  'createdAt',
] as const;

/** The parts of an earlier message that a model sees, and the tokens it took. */
export type HistoryRow = Pick<StoredMessage, (typeof FIELDS)[number]>;

// With one lower end: SQLite would walk on to the first of two.
const listHistory = MESSAGES.only(...FIELDS, 'contentJson')
  .as(withText)
  .piece<[chatId: string, afterSeq: number, belowSeq: number]>(
    `WHERE chat_id = ? AND seq > ? AND seq < ? AND status NOT IN ('pending', 'streaming') AND ${IS_LISTED} ORDER BY seq DESC`,
  );

/** How many messages are looked at in one go for those that are listed. */
const SEEN_AT_ONCE = 2_000;

/**
 * Some of a chat's listed messages after `afterSeq` and before `belowSeq`, the newest first, at most `limit`; those that wait or are
 * being written are left out. None: there are no more.
 */
export function* listHistoryBefore(
  reader: Reader,
  chatId: string,
  { afterSeq, belowSeq, limit }: { afterSeq: number; belowSeq: number; limit: number },
): Generator<void, HistoryRow[]> {
  const most = { ...PIECE, rows: Math.min(limit, PIECE.rows) };
  // There may be thousands of other versions in between.
  for (let below = belowSeq; ;) {
    const seen = findSeqBefore(reader, chatId, below);
    const rows = listHistory(reader, most, chatId, Math.max(afterSeq, (seen ?? 0) - 1), below);
    if (rows.length > 0) return rows;
    if (seen === null || seen <= afterSeq) return [];
    below = seen;
    yield;
  }
}

/** The `seq` of the message of a chat that stands {@link SEEN_AT_ONCE} before another; null: there are fewer. */
const findSeqBefore = MESSAGES.value<[chatId: string, belowSeq: number], 'seq'>(
  `WHERE chat_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1 OFFSET ${SEEN_AT_ONCE - 1}`,
  'seq',
);

/** The id of the last listed user message of a chat before `beforeSeq` that doesn't wait; null: there is none. */
export const findQuestionBefore = MESSAGES.value<[chatId: string, beforeSeq: number]>(
  `WHERE chat_id = ? AND seq < ? AND role = 'user' AND status <> 'pending' AND ${IS_LISTED} ORDER BY seq DESC LIMIT 1`,
);

const MARKS = ['seq', 'id', 'role', 'replyTo', 'status'] as const;

/** A message of a conversation, without its text. */
export type BranchMark = Pick<StoredMessage, (typeof MARKS)[number]>;

/** A chat's listed messages after `afterSeq`, oldest first, at most `limit`. */
export const listMarks = MESSAGES.only(...MARKS).list<[chatId: string, afterSeq: number, limit: number]>(
  `WHERE chat_id = ? AND seq > ? AND ${IS_LISTED} ORDER BY seq LIMIT ?`,
);

/** When a message of the shown branch after `afterSeq` was last deleted; null: none is deleted. */
export const lastDeletedAt = (reader: Reader, chatId: string, afterSeq: number): string | null =>
  readValue<string>(reader, `SELECT max(deleted_at) FROM ${LINKED_MESSAGES} AND seq > ? AND ${isShown('')}`, [
    chatId,
    afterSeq,
  ]);

/** The last message of a chat that is not waiting or under way; 0: there is none. */
export const lastSettledSeq = (reader: Reader, chatId: string): number =>
  readValue<number>(
    reader,
    `SELECT max(seq) FROM messages WHERE chat_id = ? AND status NOT IN ('pending', 'streaming')`,
    [chatId],
  ) ?? 0;

/** Whether a chat has been answered exactly once, in any version; replies that failed or were stopped don't count. */
export function isFirstReply(reader: Reader, chatId: string): boolean {
  const rows = reader.all(
    `SELECT 1 FROM messages WHERE chat_id = ? AND role = 'assistant' AND status IN ('complete', 'compacted')
      AND stop_reason <> 'stopped' LIMIT 2`,
    [chatId],
  );
  return rows.length === 1;
}

const UP_TO = `WHERE chat_id = ? AND seq <= ? AND role = 'user' AND ${IS_LISTED}`;
const countUpTo = MESSAGES.count<[chatId: string, seq: number]>(UP_TO);
const findFirst = MESSAGES.only('content', 'contentJson', 'toolReach').first<[chatId: string, seq: number]>(
  `${UP_TO} ORDER BY seq LIMIT 1`,
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
  const turn = Math.max(0, countUpTo(reader, chatId, seq) - 1);
  return first && { opening: contentOf(first), turn, toolReach: first.toolReach };
}
