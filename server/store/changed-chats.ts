/** A client that missed more changes than this should fetch the list instead. */
const MAX_CHANGED = 200;
/** For how many rows the last change is remembered, about 40 bytes each; beyond that, the older half is dropped at once. */
const MAX_LAST_CHANGES = 50_000;

/** Which chats changed recently, and when, so that followers of chats only have to look at those a change touched. */
export type ChangedChats = ReturnType<typeof createChangedChats>;

/** None has changed since version 0. */
export function createChangedChats() {
  /** The version that changed each last, the latest change at the end. */
  const changed = new Map<number, number>();
  /** Changes up to this version are forgotten. */
  let forgottenTo = 0;
  /** The last change by row, the latest at the end; for all other rows it is `lastOfRest`. */
  const lastChanges = new Map<number, number>();
  let lastOfRest = 0;
  let touched = new Set<number>();
  let hasRemoved = false;

  function moveToEnd(changes: Map<number, number>, version: number): void {
    for (const rowid of touched) {
      changes.delete(rowid);
      changes.set(rowid, version);
    }
  }

  function noteLastChanges(version: number): void {
    moveToEnd(lastChanges, version);
    if (lastChanges.size <= MAX_LAST_CHANGES) return;
    for (const [rowid, last] of lastChanges) {
      if (lastChanges.size <= MAX_LAST_CHANGES / 2) break;
      lastChanges.delete(rowid);
      lastOfRest = last;
    }
  }

  function reset(version: number): void {
    changed.clear();
    forgottenTo = version;
  }

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
      noteLastChanges(version);
      moveToEnd(changed, version);
      // A removed row no longer shows which chat it was, and its number may be reused.
      if (hasRemoved) reset(version);
      for (const [rowid, last] of changed) {
        if (changed.size <= MAX_CHANGED) break;
        changed.delete(rowid);
        forgottenTo = last;
      }
    },
    /** As of that version, any chat may have changed. */
    reset(version: number): void {
      reset(version);
      lastChanges.clear();
      lastOfRest = version;
    },
    /** The version that touched the row last, or a later one: as long as it stays the same, so does the chat. */
    lastChange: (rowid: number): number => lastChanges.get(rowid) ?? lastOfRest,
    /** The rows touched after that version; null: unknown, any may have been. */
    since(version: number): number[] | null {
      if (version < forgottenTo) return null;
      return [...changed].filter(([, last]) => last > version).map(([rowid]) => rowid);
    },
  };
}
