import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader, SqlValue } from './types.ts';

/** How much is read or written in one go: a few milliseconds of the event loop. */
export const PIECE_ROWS = 100;
export const PIECE_BYTES = 128 * 1024;

let last = Promise.resolve();

/**
 * Yields to the event loop. Only one waiting caller resumes per turn of the loop, so that many of them don't block
 * others.
 */
export const breathe = (): Promise<void> => (last = last.then(() => nextTurn()));

/** Size of a message in bytes; most have neither steps nor reasoning. */
export const MESSAGE_BYTES =
  'octet_length(content) + coalesce(octet_length(steps), 0) + coalesce(octet_length(reasoning), 0)';

/**
 * The `seq` of the last message of a part: at most that many messages or bytes of those that `where` names, in that order,
 * but at least one message. Null: there are none.
 */
export function findPartEnd(
  reader: Reader,
  { where, params, order = 'ASC' }: { where: string; params: readonly SqlValue[]; order?: 'ASC' | 'DESC' },
  { messages, bytes }: { messages: number; bytes: number },
): number | null {
  const rows = `SELECT seq, ${MESSAGE_BYTES} AS bytes FROM messages WHERE ${where} ORDER BY seq ${order} LIMIT ?`;
  const row = reader.get<{ last: number | null }>(
    `SELECT ${order === 'ASC' ? 'max' : 'min'}(seq) AS last FROM (
      SELECT seq, bytes, sum(bytes) OVER (ORDER BY seq ${order}) AS total FROM (${rows}))
      WHERE total <= ? OR total = bytes`,
    [...params, messages, bytes],
  );
  return row?.last ?? null;
}
