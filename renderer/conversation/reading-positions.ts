/** Where a reader was in a chat: that many pixels below the top of a message. */
export interface ReadingPosition {
  messageId: string;
  offset: number;
}

const positions = new Map<string, ReadingPosition>();
const AT_MOST = 500;

/** Where the reader left a chat since the page was loaded; undefined: at its end, or never there. */
export const readingPositionOf = (chatId: string): ReadingPosition | undefined => positions.get(chatId);

/** Remembers where the reader is in a chat; null: at its end. */
export function notePosition(chatId: string, position: ReadingPosition | null): void {
  positions.delete(chatId);
  if (position === null) return;
  positions.set(chatId, position);
  const [oldest] = positions.keys();
  if (positions.size > AT_MOST && oldest !== undefined) positions.delete(oldest);
}
