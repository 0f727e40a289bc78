/** Where a reader was in a chat: that many pixels below the top of a message. */
export interface ReadingPlace {
  messageId: string;
  offset: number;
}

const places = new Map<string, ReadingPlace>();
const AT_MOST = 500;

/** Where the reader left a chat since the page was loaded; undefined: at its end, or never there. */
export const readingPlaceOf = (chatId: string): ReadingPlace | undefined => places.get(chatId);

/** Remembers where the reader is in a chat; null: at its end. */
export function notePlace(chatId: string, place: ReadingPlace | null): void {
  places.delete(chatId);
  if (place === null) return;
  places.set(chatId, place);
  const [oldest] = places.keys();
  if (places.size > AT_MOST && oldest !== undefined) places.delete(oldest);
}
