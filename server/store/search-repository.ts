import type { MessageRole } from '../../shared/api/message.ts';
import { isShown } from './listed.ts';
import { MESSAGES } from './message-repository.ts';
import { indexStart, indexTable } from './search-index-repository.ts';
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

type RawRow = Omit<MatchedRow, 'isHidden' | 'hits' | 'run'> & { isHidden: number };

/**
 * The messages of a workspace that match an FTS expression, newest first, versions not shown among them unless left out: of the newest
 * `limit` matches up to `toSeq` in the index of that message. `reached`: where the next matches end.
 */
export function matchMessages(
  reader: Reader,
  { match, toSeq, limit, ...filter }: MessageFilter & { match: string; toSeq: number; limit: number },
): { rows: MatchedRow[]; reached: number } {
  const { where, params } = filterSql(filter);
  const index = indexTable(toSeq);
  // Unlike offsets() and snippet(), matchinfo() doesn't tokenize texts again: y gives the hits of each term, s the run.
  const found = reader.all<RawRow & { docid: number; info: Uint8Array }>(
    `SELECT f.docid AS docid, f.info AS info, ${COLUMNS} FROM (
      SELECT docid, matchinfo(${index}, 'ys') AS info FROM ${index}
        WHERE ${index} MATCH ? AND docid <= ? ORDER BY docid DESC LIMIT ?) f
      LEFT JOIN messages m ON m.seq = f.docid
      LEFT JOIN chats c ON c.id = m.chat_id AND ${where}
      ORDER BY f.docid DESC`,
    [match, toSeq, limit, ...params],
  );
  const rows = found
    .filter(({ chatTitle }: { chatTitle: string | null }) => chatTitle !== null)
    .map(({ info, docid: _docid, ...row }) => {
      const numbers = new Int32Array(info.buffer, info.byteOffset, info.length / 4);
      return {
        ...row,
        isHidden: row.isHidden === 1,
        hits: [...numbers.subarray(0, -1)],
        run: numbers.at(-1) ?? 1,
      };
    });
  const last = found.length < limit ? undefined : found.at(-1);
  return { rows, reached: last?.docid ?? indexStart(toSeq) };
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

/**
 * The text of a message as it is stored, and whether that is a JSON string. Null when it is gone: its `seq` may be that of
 * another message by now, which the search must not show.
 */
export const findContent = MESSAGES.only('content', 'contentJson').first<[seq: number, id: string]>(
  'WHERE seq = ? AND id = ?',
);
