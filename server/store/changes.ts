/** What readers of the store see changing: its version, who listens to it, and which chats and lists each change touched. */
import { LIST_NAMES, type ListName } from '../../shared/choices.ts';
import { createListeners } from '../lib/listeners.ts';
import type { StoreChange } from './types.ts';

/** A client that missed more changes than this should fetch the list instead. */
const MAX_CHANGED = 200;
/** For how many rows the last change is remembered, about 40 bytes each; beyond that, the older half is dropped at once. */
const MAX_LAST_CHANGES = 50_000;

/** Lists have the names of their tables. */
const CHANGED_LIST = new RegExp(
  `^(?:UPDATE|(?:INSERT|REPLACE|DELETE)(?: OR REPLACE)? (?:INTO|FROM)) (${LIST_NAMES.join('|')})\\b`,
);

/** The version that changed each row last, the latest change at the end. With more than `most` rows, only the latest `kept` stay. */
function createLatest(most: number, kept: number) {
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
    since: (version: number): number[] | null =>
      version < forgottenTo
        ? null
        : [...changes].filter(([, last]) => last > version).map(([rowid]) => rowid),
  };
}

/** See `version`, `onChange`, `chatsChangedSince`, `listsChangedSince` and `lastChangeOf` in types.ts. */
export type Changes = ReturnType<typeof createChanges>;

/** Nothing has changed: this is version 0. */
export function createChanges() {
  const recent = createLatest(MAX_CHANGED, MAX_CHANGED);
  const all = createLatest(MAX_LAST_CHANGES, MAX_LAST_CHANGES / 2);
  const listeners = createListeners<[StoreChange]>();
  let version = 0;
  let touched = new Set<number>();
  let touchedLists = new Set<ListName>();
  /** The version that changed each list last. */
  const lists = new Map<ListName, number>();
  /** Readers of the list have to read it again. */
  let isUnclear = false;
  return {
    /** A transaction begins: rows noted but not committed are dropped. */
    begin(): void {
      touched = new Set();
      touchedLists = new Set();
      isUnclear = false;
    },
    /**
     * The transaction under way touched the chat in that row; `isRemoved`: there is no such row any more. Then it no longer
     * shows which chat it was, and its number may be reused.
     */
    note(rowid: number, isRemoved: boolean): void {
      touched.add(rowid);
      isUnclear ||= isRemoved;
    },
    /** The transaction under way changed rows with that statement: tables without row numbers report none. */
    noteStatement(sql: string): void {
      const name = CHANGED_LIST.exec(sql)?.[1];
      if (name !== undefined) touchedLists.add(name as ListName);
    },
    /** The transaction under way became the next version. */
    commit(): void {
      version += 1;
      all.note(touched, version);
      recent.note(touched, version);
      if (isUnclear) recent.reset(version);
      for (const name of touchedLists) lists.set(name, version);
      listeners.emit('written');
    },
    /** Memory was loaded from the disk: any chat may have changed. */
    reset(): void {
      version += 1;
      all.reset(version);
      recent.reset(version);
      listeners.emit('went back');
    },
    get version(): number {
      return version;
    },
    on: listeners.on,
    lastChange: all.last,
    since: recent.since,
    listsSince: (since: number): ListName[] =>
      [...lists].flatMap(([name, last]) => (last > since ? [name] : [])),
  };
}
