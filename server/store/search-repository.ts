import type { MessageRole } from '../../shared/api/message.ts';
import type { Reader } from './types.ts';

/** A message that holds what was searched for, and where it stands in the text. */
export interface MatchedRow {
  seq: number;
  messageId: string;
  chatId: string;
  chatTitle: string;
  role: MessageRole;
  createdAt: string;
  /** Length of the text, in characters. */
  length: number;
  /** The message is not of the version that is shown. */
  isHidden: boolean;
  /** As `offsets()` tells it: four numbers a match (column, term, byte where it begins, bytes). */
  offsets: string;
}

/** A message that holds the words searched for. */
export interface FoundRow {
  messageId: string;
  chatId: string;
  chatTitle: string;
  role: MessageRole;
  /** The part of the text around the words found, with no marks. */
  snippet: string;
  createdAt: string;
  /** Higher is better; comparable within one search only. */
  score: number;
}

/** What to search for, and where. */
export interface MessageQuery {
  workspaceId: string;
  /** Words as a person types them; each must occur, the last may be the start of a word. */
  words: string;
  limit: number;
  /** A chat whose messages from `fromSeq` on are left out: the turn that asks. */
  except?: { chatId: string; fromSeq: number };
}

/** Candidates ranked per search: enough that the best are among them, few enough to stay quick in a large store. */
const MAX_CANDIDATES = 2_000;
const SNIPPET_TOKENS = 24;

const COLUMNS = `m.seq AS seq, m.id AS messageId, m.chat_id AS chatId, c.title AS chatTitle, m.role AS role,
  m.created_at AS createdAt, length(m.content) AS length, m.hidden_by IS NOT NULL AS isHidden`;
const IS_THERE = 'm.workspace_id = ? AND m.deleted_at IS NULL AND c.deleted_at IS NULL';

const likePattern = (piece: string): string => `%${piece.replace(/[\\%_]/g, '\\$&')}%`;

type RawRow = Omit<MatchedRow, 'isHidden' | 'offsets'> & { isHidden: number };

/**
 * The newest messages of a workspace that match an FTS expression, versions not shown among them; `limit` at most. The
 * newest, since telling which of very many are best would take too long.
 */
export function matchMessages(
  reader: Reader,
  { workspaceId, match, limit }: { workspaceId: string; match: string; limit: number },
): MatchedRow[] {
  return reader
    .all<RawRow & { offsets: string }>(
      `SELECT ${COLUMNS}, offsets(messages_found) AS offsets FROM messages_found
        JOIN messages m ON m.seq = messages_found.docid
        JOIN chats c ON c.id = m.chat_id
        WHERE messages_found MATCH ? AND ${IS_THERE} ORDER BY messages_found.docid DESC LIMIT ?`,
      [match, workspaceId, limit],
    )
    .map((row) => ({ ...row, isHidden: row.isHidden === 1 }));
}

/**
 * As {@link matchMessages}, for pieces of text instead of words, among the messages with `afterSeq` < seq <= `toSeq`, and
 * without offsets. Upper and lower case are the same in ASCII.
 */
export function scanMessages(
  reader: Reader,
  query: { workspaceId: string; pieces: readonly string[]; afterSeq: number; toSeq: number; limit: number },
): MatchedRow[] {
  const holds = query.pieces.map(() => `m.content LIKE ? ESCAPE '\\'`).join(' AND ');
  return reader
    .all<RawRow>(
      `SELECT ${COLUMNS} FROM messages m CROSS JOIN chats c ON c.id = m.chat_id
        WHERE m.seq > ? AND m.seq <= ? AND ${IS_THERE} AND ${holds}
          AND (m.role = 'user' OR m.status NOT IN ('pending', 'streaming'))
        ORDER BY m.seq DESC LIMIT ?`,
      [query.afterSeq, query.toSeq, query.workspaceId, ...query.pieces.map(likePattern), query.limit],
    )
    .map((row) => ({ ...row, isHidden: row.isHidden === 1, offsets: '' }));
}

/** The `seq` of the last message there is; 0 when there is none. */
export const lastMessageSeq = (reader: Reader): number =>
  reader.get<{ last: number | null }>('SELECT max(seq) AS last FROM messages')?.last ?? 0;

/**
 * The text of a message as it is stored, and whether that is a JSON string. Null when it is gone: its `seq` may be that of
 * another message by now, which may be nobody's business here.
 */
export function findContent(
  reader: Reader,
  { seq, messageId }: Pick<MatchedRow, 'seq' | 'messageId'>,
): { content: string; contentJson: number } | null {
  return reader.get('SELECT content, content_json AS contentJson FROM messages WHERE seq = ? AND id = ?', [
    seq,
    messageId,
  ]);
}

/**
 * Ids and titles of a workspace's chats, newest change first, archived ones too: those that hold the pieces (in ASCII, upper
 * and lower case being the same), and all with other characters, which may hold them once they are folded.
 */
export function listTitles(
  reader: Reader,
  query: { workspaceId: string; pieces: readonly string[]; limit: number; offset: number },
): { id: string; title: string }[] {
  const holds = query.pieces.map(() => `title LIKE ? ESCAPE '\\'`).join(' AND ');
  return reader.all(
    `SELECT id, title FROM chats WHERE workspace_id = ? AND deleted_at IS NULL
      AND (title GLOB '*[^ -~]*' OR (${holds})) ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`,
    [query.workspaceId, ...query.pieces.map(likePattern), query.limit, query.offset],
  );
}

/**
 * Messages of a workspace that hold all the words, best first, for the tools of a turn; none when there is no word in the
 * query. Versions not shown are left out.
 */
export function searchMessages(reader: Reader, query: MessageQuery): FoundRow[] {
  const match = matchExpression(query.words);
  if (match === null) return [];
  const candidates = reader.all<RawRow & { offsets: string }>(
    `SELECT ${COLUMNS}, offsets(messages_found) AS offsets FROM messages_found
      JOIN messages m ON m.seq = messages_found.docid
      JOIN chats c ON c.id = m.chat_id
      WHERE messages_found MATCH ? AND ${IS_THERE} AND m.hidden_by IS NULL AND NOT (m.chat_id = ? AND m.seq >= ?)
      ORDER BY messages_found.docid DESC LIMIT ?`,
    [match, query.workspaceId, query.except?.chatId ?? '', query.except?.fromSeq ?? 0, MAX_CANDIDATES],
  );
  return candidates
    .map((row) => ({ row, score: score(row) }))
    .sort((one, other) => other.score - one.score || other.row.seq - one.row.seq)
    .slice(0, query.limit)
    .map(({ row, score }) => ({
      messageId: row.messageId,
      chatId: row.chatId,
      chatTitle: row.chatTitle,
      role: row.role,
      createdAt: row.createdAt,
      score,
      snippet: findSnippet(reader, match, row.seq),
    }));
}

function findSnippet(reader: Reader, match: string, seq: number): string {
  const row = reader.get<{ snippet: string }>(
    `SELECT snippet(messages_found, '', '', '…', -1, ${SNIPPET_TOKENS}) AS snippet FROM messages_found
      WHERE messages_found MATCH ? AND docid = ?`,
    [match, seq],
  );
  return row?.snippet ?? '';
}

/** Hits count with falling worth, and for more in a short text than in a long one. */
function score(row: { offsets: string; length: number }): number {
  const hits = row.offsets.split(' ').length / 4;
  return Math.log2(1 + hits) / Math.log2(16 + row.length);
}

/** FTS4's query for words a person typed: every word quoted, so that nothing in it is an operator. */
function matchExpression(words: string): string | null {
  const terms = words.normalize('NFC').match(/[\p{L}\p{N}]+/gu);
  if (terms === null) return null;
  return terms.map((term, index) => (index === terms.length - 1 ? `"${term}*"` : `"${term}"`)).join(' ');
}
