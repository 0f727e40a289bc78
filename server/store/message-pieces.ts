/**
 * The messages of a long chat, in pieces; the event loop is free in between. Which messages are listed is read once, at
 * the start, so that the list is consistent whatever happens meanwhile.
 */
import { findLastSeq, listUnlisted, messageTexts } from './export-repository.ts';
import type { Store } from './types.ts';

/** Longer lists are sent in pieces; one of this length takes a few milliseconds. */
export const MAX_WHOLE_LIST = { rows: 500, bytes: 512 * 1024 };

/** Which of a chat's listed messages. */
interface PieceRange {
  /** Those after this one; from the first when absent. */
  afterSeq?: number;
  /** Those up to this one; to the last when absent. */
  lastSeq?: number;
  /** At most so many; all when absent. */
  limit?: number;
  /** What else the array holds at its end: JSON text without brackets. */
  tail?: string;
}

/** The JSON text of an array of a chat's listed messages, oldest first: a function that gives its pieces. */
export function messagePieces(
  store: Pick<Store, 'read' | 'settled'>,
  chatId: string,
  { afterSeq = 0, limit = Infinity, tail = '', ...range }: PieceRange,
): () => AsyncGenerator<string> {
  const { lastSeq, unlisted } = store.read((reader) => ({
    lastSeq: range.lastSeq ?? findLastSeq(reader, chatId),
    unlisted: listUnlisted(reader, chatId, afterSeq),
  }));

  return async function* pieces() {
    let left = limit;
    let between = '[';
    for await (const rows of messageTexts(store, chatId, { afterSeq, lastSeq, tellsCompacted: true })) {
      const listed = rows.filter(({ seq }) => !unlisted.has(seq)).slice(0, left);
      left -= listed.length;
      if (listed.length > 0) {
        yield between + listed.map(({ json }) => json).join(',');
        between = ',';
      }
      if (left <= 0) break;
    }
    if (tail !== '') yield between + tail;
    yield between === '[' && tail === '' ? '[]' : ']';
  };
}
