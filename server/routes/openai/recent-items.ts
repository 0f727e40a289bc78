/**
 * Items of recent responses, in memory: clients that believe a response is stored only refer to its items in their next request. This is
 * what OpenAI’s default means for `store`; "store": false keeps nothing.
 */
import type { OutputItem } from './schemas.ts';

/** How long an item is kept after its response. */
const KEPT_MS = 60 * 60 * 1000;
/** How much all may take, in characters of JSON; the oldest go first. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Items of recent responses, of each client its own; none yet. */
export function createRecentItems(now: () => number = Date.now) {
  const items = new Map<string, { item: OutputItem; at: number; characters: number }>();
  let characters = 0;
  const keyOf = (holder: string, id: string): string => `${holder} ${id}`;

  function dropOld(): void {
    for (const [key, { at, characters: own }] of items) {
      if (characters <= MOST_CHARACTERS && at > now() - KEPT_MS) return;
      items.delete(key);
      characters -= own;
    }
  }

  return {
    add(holder: string, added: readonly OutputItem[]): void {
      for (const item of added) {
        if (items.has(keyOf(holder, item.id))) continue;
        const own = JSON.stringify(item).length;
        items.set(keyOf(holder, item.id), { item, at: now(), characters: own });
        characters += own;
      }
      dropOld();
    },
    /** Null: there is none, or no longer. */
    find(holder: string, id: string): OutputItem | null {
      dropOld();
      return items.get(keyOf(holder, id))?.item ?? null;
    },
  };
}
