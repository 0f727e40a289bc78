/**
 * What one client has been told of the chats of a workspace, and what it has to be told next. The list itself is asked for
 * elsewhere, page by page: told is which chats have changed since, and when too many have, to ask for it again.
 */
import type { ChatListReading, ListedChat } from './chat-list-reading.ts';
import { eventText } from './sse.ts';

/** What differs from what was told. */
export interface ListFinding {
  version: number;
  /** Null: any chat may have changed. */
  changed: readonly ListedChat[] | null;
  asking: ReadonlySet<string>;
  /** Null: they weren't read. */
  positions: ReadonlyMap<string, number> | null;
  /** Places of chats that haven't changed otherwise. */
  moved: readonly (readonly [id: string, position: number])[];
}

/** Tells one client about the chats of a workspace. */
export interface ChatListTeller {
  /** The version of the store up to which everything was told; null: nothing was. */
  readonly version: number | null;
  /** What has to be told; null: nothing. */
  compare(reading: ChatListReading): ListFinding | null;
  /** The events for a finding. */
  tell(finding: ListFinding): string[];
  /** What was told may never have been: the next finding is that anything may have changed. */
  forget(): void;
}

/** A teller for a client that knows all up to that version; null: it knows nothing. */
export function createChatListTeller(since: number | null): ChatListTeller {
  let version = since;
  let hasBegun = false;
  let toldAsking: ReadonlySet<string> = new Set();
  let toldPositions: ReadonlyMap<string, number> = new Map();

  return {
    get version() {
      return version;
    },
    compare(reading) {
      const changes = version === null ? null : reading.changedSince(version);
      const asking = reading.asking();
      const changed = changes && [...changes, ...turned(toldAsking, asking, changes, reading)];
      const positions = reading.positions();
      const known = new Set(changed?.map(({ id }) => id));
      const moved = [...(positions ?? [])].filter(
        ([id, place]) => toldPositions.get(id) !== place && !known.has(id),
      );
      if (hasBegun && changed?.length === 0 && moved.length === 0) {
        // What changed is of other workspaces. The client's own cursor stays behind, which does no harm.
        version = reading.version;
        return null;
      }
      return { version: reading.version, changed, asking, positions, moved };
    },
    tell({ version: newVersion, changed, asking, positions, moved }) {
      const events: string[] = [];
      if (changed === null) events.push(eventText('relist', '{}'));
      else if (changed.length > 0 || !hasBegun) events.push(chatsEvent(changed));
      if (changed !== null && moved.length > 0) {
        events.push(eventText('queue', JSON.stringify({ positions: Object.fromEntries(moved) })));
      }
      hasBegun = true;
      version = newVersion;
      toldAsking = asking;
      if (positions !== null) toldPositions = positions;
      return events;
    },
    forget() {
      version = null;
    },
  };
}

/** Chats in which a tool has begun to wait for a person, or waits no more, whatever their rows say. */
function turned(
  told: ReadonlySet<string>,
  asking: ReadonlySet<string>,
  changed: readonly ListedChat[],
  reading: ChatListReading,
): ListedChat[] {
  const ids = [...told].filter((id) => !asking.has(id)).concat([...asking].filter((id) => !told.has(id)));
  return ids.flatMap((id) => (changed.some((chat) => chat.id === id) ? [] : (reading.chat(id) ?? [])));
}

function chatsEvent(changed: readonly ListedChat[]): string {
  const chats = changed.flatMap(({ json }) => (json === null ? [] : [json]));
  const gone = changed.flatMap(({ id, json }) => (json === null ? [id] : []));
  return eventText('chats', `{"chats":[${chats.join(',')}],"gone":${JSON.stringify(gone)}}`);
}
