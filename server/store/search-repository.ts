import type { MessageRole } from '../../shared/api/message.ts';
import { isShown } from './listed.ts';
import { indexTable } from './search-index-repository.ts';
import type { Reader, SqlValue } from './types.ts';

/** A message that holds what was searched for. */
export interface MatchedRow {
  seq: number;
  messageId: string;
  chatId: string;
  chatTitle: string;
  role: MessageRole;
  createdAt: string;
  /** Size of the text as it is stored. */
  bytes: number;
  /** The message is not of the version that is shown. */
  isHidden: boolean;
  /** How often each term occurs; empty when the index wasn't asked. */
  hits: number[];
  /** The longest run of adjacent terms in the order typed; 1 when none are adjacent. */
  run: number;
  /** The words are in the name of this file of it, not in its text; absent: in its text. */
  file?: string;
}

/** Which messages a search is about. */
export interface MessageFilter {
  workspaceId: string;
  /** Leaves out the messages of versions not shown. */
  listedOnly?: boolean;
  /** A chat whose messages from `fromSeq` on are left out: the turn that asks. */
  except?: { chatId: string; fromSeq: number };
}

// The size, not the length, which would mean reading every text.
const COLUMNS = `m.seq AS seq, m.id AS messageId, m.chat_id AS chatId, c.title AS chatTitle, m.role AS role,
  m.created_at AS createdAt, octet_length(m.content) AS bytes, NOT ${isShown('m.')} AS isHidden`;

function filterSql({ workspaceId, listedOnly = false, except }: MessageFilter): {
  where: string;
  params: SqlValue[];
} {
  const listed = listedOnly ? ` AND ${isShown('m.')}` : '';
  const others = except === undefined ? '' : ' AND NOT (m.chat_id = ? AND m.seq >= ?)';
  return {
    where: `c.workspace_id = ? AND m.deleted_at IS NULL AND c.deleted_at IS NULL${listed}${others}`,
    params: [workspaceId, ...(except === undefined ? [] : [except.chatId, except.fromSeq])],
  };
}

/** A pattern for LIKE, escaped with a backslash: the piece stands anywhere. */
export const likePattern = (piece: string): string => `%${piece.replace(/[\\%_]/g, '\\$&')}%`;

interface SeqRange {
  afterSeq: number;
  toSeq: number;
}

type RawRow = Omit<MatchedRow, 'isHidden' | 'hits' | 'run'> & { isHidden: number };

/**
 * The messages of a workspace that match an FTS expression, newest first, versions not shown among them unless left out: those with
 * `afterSeq` < seq <= `toSeq`, all of one index.
 */
export function matchMessages(
  reader: Reader,
  { match, afterSeq, toSeq, limit, ...filter }: MessageFilter & SeqRange & { match: string; limit: number },
): MatchedRow[] {
  const { where, params } = filterSql(filter);
  const index = indexTable(toSeq);
  return reader
    .all<RawRow & { info: Uint8Array }>(
      // Unlike offsets() and snippet(), matchinfo() doesn't tokenize texts again: y gives the hits of each term, s the run.
      `SELECT ${COLUMNS}, matchinfo(${index}, 'ys') AS info FROM ${index}
        CROSS JOIN messages m ON m.seq = ${index}.docid
        CROSS JOIN chats c ON c.id = m.chat_id
        WHERE ${index} MATCH ? AND ${index}.docid > ? AND ${index}.docid <= ? AND ${where}
        ORDER BY ${index}.docid DESC LIMIT ?`,
      [match, afterSeq, toSeq, ...params, limit],
    )
    .map(({ info, ...row }) => {
      const numbers = new Int32Array(info.buffer, info.byteOffset, info.length / 4);
      return {
        ...row,
        isHidden: row.isHidden === 1,
        hits: [...numbers.subarray(0, -1)],
        run: numbers.at(-1) ?? 1,
      };
    });
}

/** Only the start of longer pieces is looked for: comparing them everywhere in a similar text takes too long. */
const MAX_PIECE_CHARACTERS = 64;

/**
 * As {@link matchMessages}, for pieces of text instead of words, among the messages with `afterSeq` < seq <= `toSeq`. Upper
 * and lower case are the same in ASCII.
 */
export function scanMessages(
  reader: Reader,
  query: MessageFilter & SeqRange & { pieces: readonly string[]; limit: number },
): MatchedRow[] {
  const { where, params } = filterSql(query);
  const holds = query.pieces.map(() => `m.content LIKE ? ESCAPE '\\'`).join(' AND ');
  const patterns = query.pieces.map((piece) => likePattern(piece.slice(0, MAX_PIECE_CHARACTERS)));
  return reader
    .all<RawRow>(
      `SELECT ${COLUMNS} FROM messages m CROSS JOIN chats c ON c.id = m.chat_id
        WHERE m.seq > ? AND m.seq <= ? AND ${where} AND ${holds}
          AND (m.role = 'user' OR m.status NOT IN ('pending', 'streaming'))
        ORDER BY m.seq DESC LIMIT ?`,
      [query.afterSeq, query.toSeq, ...params, ...patterns, query.limit],
    )
    .map((row) => ({ ...row, isHidden: row.isHidden === 1, hits: [], run: 1 }));
}

/** The message of that id as a match by the name of its file; null: the filter excludes it. */
export function findByFile(
  reader: Reader,
  { messageId, name, terms, ...filter }: MessageFilter & { messageId: string; name: string; terms: number },
): MatchedRow | null {
  const { where, params } = filterSql(filter);
  const row = reader.get<RawRow>(
    `SELECT ${COLUMNS} FROM messages m JOIN chats c ON c.id = m.chat_id WHERE m.id = ? AND ${where}`,
    [messageId, ...params],
  );
  if (row === null) return null;
  const hits = Array.from({ length: terms }, () => 1);
  return { ...row, isHidden: row.isHidden === 1, bytes: name.length, hits, run: terms, file: name };
}

/** The `seq` of the last message there is; 0 when there is none. */
export const lastMessageSeq = (reader: Reader): number =>
  reader.get<{ last: number | null }>('SELECT max(seq) AS last FROM messages')?.last ?? 0;

/**
 * The text of a message as it is stored, and whether that is a JSON string. Null when it is gone: its `seq` may be that of
 * another message by now, which the search must not show.
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
