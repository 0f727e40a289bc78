/** A client that missed more changes than this should fetch the list instead. */
const MAX_CHANGED = 200;
/** For how many rows the last change is remembered, about 40 bytes each; beyond that, the older half is dropped at once. */
const MAX_LAST_CHANGES = 50_000;

/** The version that changed each row last, the latest change at the end. With more than `most` rows, only the latest `kept` stay. */
function createChanges(most: number, kept: number) {
  const changes = new Map<number, number>();
  /** Changes up to this version are forgotten. */
  let forgottenTo = 0;
  return {
    note(rowids: ReadonlySet<number>, version: number): void {
      for (const rowid of rowids) {
        changes.delete(rowid);
        changes.set(rowid, version);
      }
      if (changes.size <= most) return;
      for (const [rowid, last] of changes) {
        if (changes.size <= kept) break;
        changes.delete(rowid);
        forgottenTo = last;
      }
    },
    /** As of that version, any row may have changed. */
    reset(version: number): void {
      changes.clear();
      forgottenTo = version;
    },
    /** The version that changed the row last, or a later one. */
    last: (rowid: number): number => changes.get(rowid) ?? forgottenTo,
    /** The rows changed after that version; null: unknown, any may have been. */
    since(version: number): number[] | null {
      if (version < forgottenTo) return null;
      return [...changes].filter(([, last]) => last > version).map(([rowid]) => rowid);
    },
  };
}

/** Which chats changed recently, and when, so that followers of chats only have to look at those a change touched. */
export type ChangedChats = ReturnType<typeof createChangedChats>;

/** None has changed since version 0. */
export function createChangedChats() {
  const recent = createChanges(MAX_CHANGED, MAX_CHANGED);
  const all = createChanges(MAX_LAST_CHANGES, MAX_LAST_CHANGES / 2);
  let touched = new Set<number>();
  let hasRemoved = false;
  return {
    /** A transaction begins: rows noted but not committed are dropped. */
    begin(): void {
      touched = new Set();
      hasRemoved = false;
    },
    /** The transaction under way touched the chat in that row; `isRemoved`: there is no such row any more. */
    note(rowid: number, isRemoved: boolean): void {
      touched.add(rowid);
      hasRemoved ||= isRemoved;
    },
    /** The transaction under way became that version of the store. */
    commit(version: number): void {
      all.note(touched, version);
      recent.note(touched, version);
      // A removed row no longer shows which chat it was, and its number may be reused.
      if (hasRemoved) recent.reset(version);
    },
    /** As of that version, any chat may have changed. */
    reset(version: number): void {
      all.reset(version);
      recent.reset(version);
    },
    /** The version that touched the row last, or a later one: as long as it stays the same, so does the chat. */
    lastChange: all.last,
    /** The rows touched after that version; null: unknown, any may have been. */
    since: recent.since,
  };
}
