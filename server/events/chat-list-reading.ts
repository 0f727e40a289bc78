import { memoized } from '../lib/memoized.ts';
import { toChat, type ChatStanding } from '../store/chat-columns.ts';
import { findChatIn, findChatInRow, listUnsettledIds, type StoredChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';

/** What only the processor knows of the chats of a workspace. */
export interface ListStanding extends ChatStanding {
  /** The chats, of all workspaces, in which a tool waits for a person. */
  chatsAwaitingApproval(): string[];
}

/** A chat as it is now. */
export interface ListedChat {
  id: string;
  /** JSON text of the chat as clients see it; null: it is deleted, or now in another workspace. */
  json: string | null;
}

/**
 * The chats of a workspace as they are in the store now, read once for all its streams. Use it synchronously, before
 * anything can change.
 */
export type ChatListReading = ReturnType<typeof readChatList>;

const isOrWasIn = (chat: StoredChat, workspaceId: string): boolean =>
  chat.workspaceId === workspaceId || chat.leftWorkspaceIds?.includes(workspaceId) === true;

/** Reads the chats of a workspace; queue positions, many of which change with each turn, only on request. */
export function readChatList(
  store: Pick<Store, 'read' | 'version' | 'chatsChangedSince' | 'listsChangedSince'>,
  workspaceId: string,
  standing: ListStanding,
  readsPositions: boolean,
) {
  const { version } = store;
  let asking: ReadonlySet<string> | undefined;
  let positions: Map<string, number> | undefined;

  function readChanges(since: number): ListedChat[] | null {
    const rows = store.chatsChangedSince(since);
    if (rows === null) return null;
    return rows.flatMap((row) => {
      const chat = store.read((reader) => findChatInRow(reader, row));
      if (chat === null || !isOrWasIn(chat, workspaceId)) return [];
      const json =
        chat.workspaceId === workspaceId && chat.deletedAt === null
          ? JSON.stringify(toChat(chat, standing))
          : null;
      return [{ id: chat.id, json }];
    });
  }

  /** One of them; null: there is none of that id, or it is deleted. */
  function chat(id: string): ListedChat | null {
    const stored = store.read((reader) => findChatIn(reader, id, workspaceId));
    return stored && { id, json: JSON.stringify(toChat(stored, standing)) };
  }

  function readPositions(): Map<string, number> {
    const ids = store.read((reader) => listUnsettledIds(reader, workspaceId));
    return new Map(ids.map((id) => [id, standing.queuePosition({ id, workspaceId })]));
  }

  return {
    /** The store's version. */
    version,
    /** The chats that changed after that version; null: any may have. */
    changedSince: memoized(readChanges),
    /** The other lists that changed after that version. */
    listsChangedSince: store.listsChangedSince,
    /** The ids of chats in which a tool waits for a person. */
    asking: (): ReadonlySet<string> =>
      (asking ??= new Set(standing.chatsAwaitingApproval().filter((id) => chat(id) !== null))),
    chat,
    /** Queue positions of chats with work under way, by id; null: not read this time. */
    positions: (): ReadonlyMap<string, number> | null =>
      readsPositions ? (positions ??= readPositions()) : null,
  };
}
