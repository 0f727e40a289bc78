/**
 * Tracks what one client knows of the chats of a workspace, and what to send next. Clients fetch the list itself
 * elsewhere, page by page; this sends the chats that changed since, or, if too many did, that the list has to be
 * fetched again.
 */
import type { ChatListReading, ListedChat } from './chat-list-reading.ts';
import { eventText } from './sse.ts';

/** Keeps one client up to date. `since`: the version of the store up to which it knows everything; null: it knows nothing. */
export function createChatListDiff(since: number | null) {
  let version = since;
  let hasBegun = false;
  let sentAsking: ReadonlySet<string> = new Set();
  let sentPositions: ReadonlyMap<string, number> = new Map();

  return {
    /** The version of the store up to which everything was sent; null: nothing was. */
    get version(): number | null {
      return version;
    },
    /** What has to be sent, as a function that gives the events once it is on disk; null: nothing. */
    compare(reading: ChatListReading): (() => string[]) | null {
      const changes = version === null ? null : reading.changedSince(version);
      const lists = version === null ? [] : reading.listsChangedSince(version);
      const asking = reading.asking();
      const changed = changes && [...changes, ...turned(sentAsking, asking, changes, reading)];
      const positions = reading.positions();
      const known = new Set(changed?.map(({ id }) => id));
      const moved = [...(positions ?? [])].filter(
        ([id, position]) => sentPositions.get(id) !== position && !known.has(id),
      );
      if (hasBegun && changed?.length === 0 && moved.length === 0 && lists.length === 0) {
        // The changes are in other workspaces. The client's own cursor lags behind, which does no harm.
        version = reading.version;
        return null;
      }
      return () => {
        const events: string[] = [];
        if (changed === null) events.push(eventText('relist', '{}'));
        else if (changed.length > 0 || !hasBegun) events.push(chatsEvent(changed));
        if (changed !== null && moved.length > 0) {
          events.push(eventText('queue', JSON.stringify({ positions: Object.fromEntries(moved) })));
        }
        if (lists.length > 0) events.push(eventText('lists', JSON.stringify({ changed: lists })));
        hasBegun = true;
        version = reading.version;
        sentAsking = asking;
        if (positions !== null) sentPositions = positions;
        return events;
      };
    },
    /** What was sent may no longer be true: next, clients are to fetch the list again. */
    forget(): void {
      version = null;
    },
  };
}

/** Chats in which a tool has started or stopped waiting for a person, which their rows don't show. */
function turned(
  sent: ReadonlySet<string>,
  asking: ReadonlySet<string>,
  changed: readonly ListedChat[],
  reading: ChatListReading,
): ListedChat[] {
  const ids = [...sent].filter((id) => !asking.has(id)).concat([...asking].filter((id) => !sent.has(id)));
  return ids.flatMap((id) => (changed.some((chat) => chat.id === id) ? [] : (reading.chat(id) ?? [])));
}

function chatsEvent(changed: readonly ListedChat[]): string {
  const chats = changed.flatMap(({ json }) => (json === null ? [] : [json]));
  const gone = changed.flatMap(({ id, json }) => (json === null ? [id] : []));
  return eventText('chats', `{"chats":[${chats.join(',')}],"gone":${JSON.stringify(gone)}}`);
}
