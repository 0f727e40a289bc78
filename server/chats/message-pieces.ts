/**
 * The messages of a long chat, in pieces; the event loop is free in between. Which messages are listed is read once, at
 * the start, so that the list is consistent whatever happens meanwhile.
 */
import { findLastSeq, listLinks, messageTexts } from '../store/export-repository.ts';
import type { Store } from '../store/types.ts';

/** The JSON text of an array of a chat's listed messages after `afterSeq`, oldest first and `limit` at most. */
export function messagePieces(
  store: Store,
  chatId: string,
  { afterSeq = 0, limit = Infinity }: { afterSeq?: number; limit?: number },
): AsyncGenerator<string> {
  const { lastSeq, unlisted } = store.read((reader) => ({
    lastSeq: findLastSeq(reader, chatId),
    unlisted: new Set(
      listLinks(reader, chatId)
        .filter(({ hiddenBy, isDeleted }) => hiddenBy !== null || isDeleted)
        .map(({ id }) => id),
    ),
  }));

  async function* pieces(): AsyncGenerator<string> {
    let left = limit;
    let between = '[';
    for await (const rows of messageTexts(store, chatId, { afterSeq, lastSeq, tellsCompacted: true })) {
      const listed = rows.filter(({ id }) => !unlisted.has(id)).slice(0, left);
      left -= listed.length;
      if (listed.length > 0) {
        yield between + listed.map(({ json }) => json).join(',');
        between = ',';
      }
      if (left <= 0) break;
    }
    yield between === '[' ? '[]' : ']';
  }
  return pieces();
}
