/**
 * The page's own storage. Browsers refuse it in some private modes and when it is full; the page then works on and
 * what was refused is kept in memory, so only what ends the page forgets it. Neither reading nor writing throws.
 */
export interface PageStorage {
  /** Null when there is nothing under that name. */
  read(name: string): string | null;
  /** Null removes it. `false` when the browser refused. */
  write(name: string, value: string | null): boolean;
  names(): string[];
  /** Told when another window of this origin changed something; ends when what this returns is called. */
  watch(listener: (name: string, value: string | null) => void): () => void;
}

const PREFIX = 'parley.';

function createStorage(area: () => Storage): PageStorage {
  /** What the browser refused. */
  const refused = new Map<string, string>();
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    read: (name) => refused.get(name) ?? attempt(() => area().getItem(PREFIX + name), null),
    write: (name, value) => {
      refused.delete(name);
      const isKept = attempt(() => {
        if (value === null) area().removeItem(PREFIX + name);
        else area().setItem(PREFIX + name, value);
        return true;
      }, false);
      if (!isKept && value !== null) refused.set(name, value);
      return isKept;
    },
    names: () => {
      const kept = attempt(() => Object.keys(area()), []).filter((name) => name.startsWith(PREFIX));
      return [...new Set([...kept.map((name) => name.slice(PREFIX.length)), ...refused.keys()])];
    },
    watch: (listener) => {
      const note = (event: StorageEvent): void => {
        if (!event.key?.startsWith(PREFIX)) return;
        const name = event.key.slice(PREFIX.length);
        // The other window's words are the later ones.
        refused.delete(name);
        listener(name, event.newValue);
      };
      addEventListener('storage', note);
      return () => removeEventListener('storage', note);
    },
  };
}

/** Shared by all tabs, kept for good: drafts, unsent messages, choices. */
export const lasting = createStorage(() => localStorage);

/** Of this tab alone, gone with it: the session key. */
export const ofThisTab = createStorage(() => sessionStorage);
