/** The open chat stands in the address's fragment (`#/chats/<id>`), so reload, back and forward keep to it. */
const CHAT_FRAGMENT = /^#\/chats\/([^/]+)$/;

/** The chat a fragment names, or null for a new chat. */
export function chatIn(fragment: string): string | null {
  const encoded = CHAT_FRAGMENT.exec(fragment)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** The fragment that names a chat; null is the new chat's. */
export const fragmentOf = (chatId: string | null): string =>
  chatId === null ? '#/' : `#/chats/${encodeURIComponent(chatId)}`;
