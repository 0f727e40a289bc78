import type { MessageRole } from '../../shared/api/message.ts';
import type { Reader } from './types.ts';

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

interface CandidateRow extends Omit<FoundRow, 'score' | 'snippet'> {
  seq: number;
  offsets: string;
  length: number;
}

/** Messages of a workspace that hold all the words, best first; none when there is no word in the query. */
export function searchMessages(reader: Reader, query: MessageQuery): FoundRow[] {
  const match = matchExpression(query.words);
  if (match === null) return [];
  const candidates = reader.all<CandidateRow>(
    `SELECT m.seq AS seq, m.id AS messageId, m.chat_id AS chatId, c.title AS chatTitle, m.role AS role,
        m.created_at AS createdAt, offsets(messages_found) AS offsets, length(m.content) AS length
      FROM messages_found
      JOIN messages m ON m.seq = messages_found.docid
      JOIN chats c ON c.id = m.chat_id
      WHERE messages_found MATCH ? AND m.workspace_id = ? AND c.deleted_at IS NULL AND m.deleted_at IS NULL
        AND NOT (m.chat_id = ? AND m.seq >= ?)
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
function score(row: CandidateRow): number {
  const hits = row.offsets.split(' ').length / 4;
  return Math.log2(1 + hits) / Math.log2(16 + row.length);
}

/** FTS4's query for words a person typed: every word quoted, so that nothing in it is an operator. */
function matchExpression(words: string): string | null {
  const terms = words.normalize('NFC').match(/[\p{L}\p{N}]+/gu);
  if (terms === null) return null;
  return terms.map((term, index) => (index === terms.length - 1 ? `"${term}*"` : `"${term}"`)).join(' ');
}
