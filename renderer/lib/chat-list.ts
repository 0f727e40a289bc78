import type { Chat } from '../../shared/api/chat.ts';

/** The order chats are listed in: newest change first, ties by id. */
export function compareChats(a: Chat, b: Chat): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}

/** Of two answers about one chat the later; they may arrive in any order. */
const newer = (known: Chat | undefined, told: Chat): Chat =>
  known && known.updatedAt > told.updatedAt ? known : told;

/** The list with these chats put in, each in place of what was known of it unless that is newer. */
export function mergeChats(known: readonly Chat[], told: readonly Chat[]): Chat[] {
  const merged = new Map(known.map((chat) => [chat.id, chat]));
  for (const chat of told) merged.set(chat.id, newer(merged.get(chat.id), chat));
  return [...merged.values()].sort(compareChats);
}

/**
 * The list after a fresh first page. Whatever the page should hold and doesn't is gone; chats older than its last stay
 * as they are, and `isWhole` says that there are none.
 */
export function withFirstPage(known: readonly Chat[], page: readonly Chat[], isWhole: boolean): Chat[] {
  const oldest = page.at(-1);
  const listed = new Set(page.map((chat) => chat.id));
  const kept = known.filter(
    (chat) => listed.has(chat.id) || (!isWhole && oldest !== undefined && compareChats(chat, oldest) > 0),
  );
  return mergeChats(kept, page);
}
