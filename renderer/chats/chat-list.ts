import type { Chat, ChatList, UpdateChatBody } from '../../shared/api/chat.ts';
import { MAX_PAGE_SIZE } from '../../shared/limits.ts';
import { keepSame } from '../lib/keep-same.ts';

/** The API's name for "in no project". */
export const NO_PROJECT = 'none';

/** A change being sent to the service: it is shown already. */
export interface PendingChange {
  chatId: string;
  /** `gone`: the chat is being deleted, or moved away. */
  change: UpdateChatBody | 'gone';
}

/** A chat's position in lists. */
export type ChatPosition = Pick<Chat, 'id' | 'updatedAt'>;

/** The order chats are listed in: newest change first, ties by id. */
export function compareChats(a: ChatPosition, b: ChatPosition): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** The later of two answers about one chat; they may arrive in any order. An identical one isn't a change. */
const newer = (known: Chat | undefined, reported: Chat): Chat =>
  known !== undefined && known.updatedAt > reported.updatedAt ? known : keepSame(known, reported);

/** Merges these chats into the list, unless the list has newer states of them. Returns the same list if nothing changes. */
export function mergeChats(known: readonly Chat[], reported: readonly Chat[]): readonly Chat[] {
  const merged = new Map(known.map((chat) => [chat.id, chat]));
  let changed = false;
  for (const chat of reported) {
    const before = merged.get(chat.id);
    const after = newer(before, chat);
    if (after === before) continue;
    changed = true;
    merged.set(chat.id, after);
  }
  return changed ? [...merged.values()].sort(compareChats) : known;
}

/** One page of a list of chats, and which list it is from. */
export interface ChatPage {
  /** In the order they are listed. */
  data: readonly Chat[];
  /** No chat of the list comes before it. */
  isFirst: boolean;
  /** No chat of the list comes after it. */
  isLast: boolean;
  holds: (chat: Chat) => boolean;
}

/**
 * The list after a fresh page: chats that should be on it and aren't are gone, the others stay. Returns the same list if
 * nothing changes.
 */
export function withPage(known: readonly Chat[], page: ChatPage): readonly Chat[] {
  const [first, last] = [page.data[0], page.data.at(-1)];
  const listed = new Set(page.data.map(({ id }) => id));
  const isOn = (chat: Chat): boolean => {
    const begun = page.isFirst || (first !== undefined && compareChats(chat, first) >= 0);
    const notOver = page.isLast || (last !== undefined && compareChats(chat, last) <= 0);
    return begun && notOver;
  };
  const kept = known.filter((chat) => listed.has(chat.id) || !page.holds(chat) || !isOn(chat));
  return mergeChats(kept.length === known.length ? known : kept, page.data);
}

/** Loads all pages of a list. Rejects as `list` does. */
export async function listAll(list: (page: number) => Promise<ChatList>): Promise<Chat[]> {
  const chats: Chat[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = await list(page);
    chats.push(...data);
    if (data.length === 0 || page * MAX_PAGE_SIZE >= total) return chats;
  }
}

/** A chat as it will be once the service has made the change. */
export function withChange(chat: Chat, { unread, parameters, projectId, ...change }: UpdateChatBody): Chat {
  const changed: Chat = { ...chat, ...change };
  if (parameters === null) delete changed.parameters;
  else if (parameters !== undefined) changed.parameters = parameters;
  if (projectId === null) delete changed.projectId;
  else if (projectId !== undefined) changed.projectId = projectId;
  if (unread === false) delete changed.unread;
  return changed;
}

/** Whether a chat is listed under a project, or among those in none. */
export const isOtherOf =
  (projectId: string) =>
  (chat: Chat): boolean =>
    !chat.pinned && !chat.archived && (chat.projectId ?? NO_PROJECT) === projectId;

/** Those that aren't pinned, by project. */
export const byProject = (chats: readonly Chat[]): ReadonlyMap<string, Chat[]> =>
  Map.groupBy(
    chats.filter(({ pinned }) => !pinned),
    ({ projectId = NO_PROJECT }) => projectId,
  );

/** Chats as they will be once the service has made the changes. */
export function withChanges(chats: readonly Chat[], intents: readonly PendingChange[]): readonly Chat[] {
  if (intents.length === 0) return chats;
  return chats.flatMap((chat) => {
    let shown = chat;
    for (const { chatId, change } of intents) {
      if (chatId !== chat.id) continue;
      if (change === 'gone') return [];
      shown = withChange(shown, change);
    }
    return [shown];
  });
}
