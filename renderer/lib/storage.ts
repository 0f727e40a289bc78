import { SvelteSet } from 'svelte/reactivity';
import { attempt } from '../../shared/attempt.ts';

const PREFIX = 'parley.';

/**
 * The page's own storage. Browsers refuse it in some private modes and when it is full; then the values stay in memory
 * as long as the page is open. Neither reading nor writing throws.
 */
function createStorage(area: () => Storage) {
  /** Values that the browser refused. */
  const refused = new Map<string, string>();
  const read = (name: string): string | null =>
    refused.get(name) ?? attempt(() => area().getItem(PREFIX + name), null);
  return {
    /** Null when there is nothing under that name. */
    read,
    /** The same, parsed; also null if it isn't JSON. */
    readJson: (name: string) => attempt<unknown>(() => JSON.parse(read(name) ?? 'null'), null),
    /** Null removes it. `false` when the browser refused. */
    write: (name: string, value: string | null): boolean => {
      refused.delete(name);
      const isKept = attempt(() => {
        if (value === null) area().removeItem(PREFIX + name);
        else area().setItem(PREFIX + name, value);
        return true;
      }, false);
      if (!isKept && value !== null) refused.set(name, value);
      return isKept;
    },
    names: (): string[] => {
      const kept = attempt(() => Object.keys(area()), []).filter((name) => name.startsWith(PREFIX));
      return [...new Set([...kept.map((name) => name.slice(PREFIX.length)), ...refused.keys()])];
    },
    /** Calls `listener` when another window of this origin has changed something. Returns a function that unsubscribes. */
    watch: (listener: (name: string) => void): (() => void) => {
      const note = (event: StorageEvent): void => {
        if (!event.key?.startsWith(PREFIX)) return;
        const name = event.key.slice(PREFIX.length);
        // The other window wrote later.
        refused.delete(name);
        listener(name);
      };
      addEventListener('storage', note);
      return () => removeEventListener('storage', note);
    },
  };
}

/** Shared by all tabs, kept for good: drafts, unsent messages, choices. */
export const lasting = createStorage(() => localStorage);

/** For this tab only, gone when it closes: the session key. */
export const ofThisTab = createStorage(() => sessionStorage);

/** Names of records that the browser refused, and that are nowhere else. */
const atRisk = new SvelteSet<string>();

/** Whether a reload would lose something that a person has written. */
export const isWritingAtRisk = (): boolean => atRisk.size > 0;

/** What a person has written, as JSON in the {@link lasting} storage; the keys share a prefix. */
export class StoredRecords<T extends object> {
  readonly #prefix: string;
  readonly #check: (stored: Partial<T>) => T | null;

  /** `check` makes a record of what was stored, which an older version may have written; null if it isn't one. */
  constructor(prefix: string, check: (stored: Partial<T>) => T | null) {
    this.#prefix = prefix;
    this.#check = check;
  }

  keys(): string[] {
    return lasting.names().flatMap((name) => this.#keyIn(name) ?? []);
  }

  /** Null if there is none, or it isn't valid. */
  read(key: string): T | null {
    const stored = lasting.readJson(this.#prefix + key) as Partial<T> | null;
    return stored && this.#check(stored);
  }

  /** Null removes it. `false` when the browser refused. `isSafe`: it is elsewhere, too. */
  write(key: string, record: T | null, isSafe = record === null): boolean {
    const name = this.#prefix + key;
    const isKept = lasting.write(name, record === null ? null : JSON.stringify(record));
    if (isKept || isSafe) atRisk.delete(name);
    else atRisk.add(name);
    return isKept;
  }

  /** Calls `listener` when another window of this origin has changed one. Returns a function that unsubscribes. */
  watch(listener: (key: string) => void): () => void {
    return lasting.watch((name) => {
      const key = this.#keyIn(name);
      if (key !== null) listener(key);
    });
  }

  #keyIn(name: string): string | null {
    return name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : null;
  }
}
