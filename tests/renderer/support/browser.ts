/** What the page's state classes need of a browser: its storage, and news of other windows. */
import { afterEach, beforeEach } from 'vitest';
import { lasting, StoredRecords } from '../../../renderer/lib/storage.ts';

/** A window's storage that can be made to refuse, as a full one does. */
export interface TestStorage {
  /** From now on nothing more can be kept. */
  fill(): void;
  /** Another window of this origin keeps something; null removes it. */
  changeElsewhere(name: string, value: string | null): void;
  /** What stands under a name, without the page's prefix. */
  read(name: string): string | null;
}

const PREFIX = 'parley.';

/** Gives each test of a file an empty storage. */
export function useTestStorage(): TestStorage {
  let full = false;
  let area: Record<string, string> = {};
  let windowEvents = new EventTarget();

  const methods = {
    getItem: (name: string) => area[name] ?? null,
    setItem: (name: string, value: string) => {
      if (full) throw new DOMException('Full.', 'QuotaExceededError');
      area[name] = value;
    },
    removeItem: (name: string) => {
      area = Object.fromEntries(Object.entries(area).filter(([other]) => other !== name));
    },
  };
  const storage = new Proxy(methods, {
    ownKeys: () => Object.keys(area),
    getOwnPropertyDescriptor: (_, name) =>
      String(name) in area ? { configurable: true, enumerable: true, value: area[String(name)] } : undefined,
  });

  const replaced = ['localStorage', 'sessionStorage', 'addEventListener', 'removeEventListener'] as const;
  const before = replaced.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  beforeEach(() => {
    full = false;
    area = {};
    windowEvents = new EventTarget();
    const values = {
      localStorage: storage,
      sessionStorage: storage,
      addEventListener: windowEvents.addEventListener.bind(windowEvents),
      removeEventListener: windowEvents.removeEventListener.bind(windowEvents),
    };
    for (const name of replaced) {
      Object.defineProperty(globalThis, name, { configurable: true, value: values[name] });
    }
  });
  afterEach(() => {
    // What the storage refused, the page keeps in memory.
    const records = new StoredRecords('', () => null);
    for (const name of lasting.names()) records.write(name, null);
    for (const [index, name] of replaced.entries()) {
      const own = before[index];
      if (own) Object.defineProperty(globalThis, name, own);
      else Reflect.deleteProperty(globalThis, name);
    }
  });

  return {
    fill: () => (full = true),
    changeElsewhere: (name, value) => {
      if (value === null) methods.removeItem(PREFIX + name);
      else area[PREFIX + name] = value;
      windowEvents.dispatchEvent(
        Object.assign(new Event('storage'), { key: PREFIX + name, newValue: value }),
      );
    },
    read: (name) => area[PREFIX + name] ?? null,
  };
}
