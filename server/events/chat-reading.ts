import type { Chat } from '../../shared/api/chat.ts';
import { memoized } from '../lib/memoized.ts';
import { toChat, type ChatStanding } from '../store/chat-columns.ts';
import { findChat } from '../store/chat-repository.ts';
import { findMessageAsJson, isLongerThan, listMessagesAsJson, messagePieces } from '../store/message-json.ts';
import { findFinalEnd, findFinalSeq, listMessageMarks, type MessageEnd } from '../store/stream-rows.ts';
import type { Store } from '../store/types.ts';
import type { Cursor } from './sse.ts';

/**
 * A chat as it is in the store now, for all its streams: each part is read only once. Use it synchronously, before
 * anything can change.
 */
export type ChatReading = NonNullable<ReturnType<typeof readChat>>;

/** Reads a chat; null when there is none, or it was deleted. */
export function readChat(store: Pick<Store, 'read' | 'settled'>, chatId: string, standing: ChatStanding) {
  const stored = store.read((reader) => findChat(reader, chatId));
  if (stored === null) return null;
  const chat: Chat = toChat(stored, standing);
  const wholeAfter = memoized((afterSeq: number) =>
    store.read((reader) => listMessagesAsJson(reader, chatId, { afterSeq })),
  );
  const piecesTo = memoized((lastSeq: number) =>
    memoized((afterSeq: number) => {
      const tail = wholeAfter(lastSeq).slice(1, -1);
      return messagePieces(store, chatId, { afterSeq, lastSeq, tail });
    }),
  );
  return {
    workspaceId: stored.workspaceId,
    /** The chat as clients see it, as JSON text. */
    chatJson: JSON.stringify(chat),
    structure: stored.structure,
    /** The listed messages after `afterSeq`, oldest first. */
    marksAfter: memoized((afterSeq: number) =>
      store.read((reader) => listMessageMarks(reader, chatId, afterSeq)),
    ),
    /** The last of the messages after that one up to which all are final; the same one if there is none. */
    finalAfter: (start: MessageEnd): MessageEnd =>
      store.read((reader) => findFinalEnd(reader, stored, start)),
    /**
     * The messages after `afterSeq` in full, as the JSON text of an array. In pieces if they are many: those up to `finalSeq`, which
     * don't change any more, are then read as they are sent, all others now.
     */
    listAfter(afterSeq: number, finalSeq: number): string | AsyncIterable<string> {
      const isLong = store.read((reader) => isLongerThan(reader, chatId, afterSeq));
      return isLong ? piecesTo(finalSeq)(afterSeq)() : wholeAfter(afterSeq);
    },
    messageJson: memoized((id: string) => {
      const json = store.read((reader) => findMessageAsJson(reader, chatId, id));
      if (json === null) throw new Error(`The message ${id} is gone in the midst of being read.`);
      return json;
    }),
    /** The `seq` of the cursor's message if a client with that cursor knows everything up to there; otherwise null. */
    seqOf: ({ messageId, structure }: Cursor): number | null =>
      structure === stored.structure ? store.read((reader) => findFinalSeq(reader, stored, messageId)) : null,
  };
}
