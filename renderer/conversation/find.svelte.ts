/* eslint-disable svelte/prefer-svelte-reactivity -- a map isn't changed any more once it is shown */
import { createContext } from 'svelte';
import type { Message } from '../../shared/api/message.ts';
import { normaliseQuery, normaliseText, findMatches, type NormalisedText } from './normalise-text.ts';
import { textRuns } from './message-text.ts';

/** How long reading the messages may block the page at a time, and how often the count is updated meanwhile, in milliseconds. */
const SLICE_MS = 8;
const COUNT_EVERY_MS = 120;

/** A match: its message, and its index there, from 0. */
export interface Match {
  messageId: string;
  index: number;
}

/** What {@link Find} needs. */
export interface FindPorts {
  /** In reading order. */
  messages(): readonly Message[];
  /** The message being read: the search starts there. */
  anchor(): string | null;
  /** Brings a match into view. */
  onGo(match: Match): void;
}

/** Searches all messages of the open chat, whether they are drawn or not. */
export class Find {
  isOpen = $state(false);
  query = $state('');
  /** The input has the focus. */
  focused = $state(false);
  /** Not all messages have been searched yet. */
  searching = $state(false);
  /** The current match; null: none. */
  current = $state.raw<Match | null>(null);
  readonly normalised = $derived(normaliseQuery(this.query));
  /** How often the query occurs in each message. */
  #counts = $state.raw<ReadonlyMap<string, number>>(new Map());
  readonly total = $derived([...this.#counts.values()].reduce((sum, count) => sum + count, 0));
  /** Number of the current match, from 1; null: there is none. */
  readonly position = $derived.by(() => {
    const { current } = this;
    if (current === null) return null;
    let before = 0;
    for (const { id } of this.#ports.messages()) {
      if (id === current.messageId) return before + current.index + 1;
      before += this.#counts.get(id) ?? 0;
    }
    return null;
  });
  readonly #ports: FindPorts;
  /** The words of each message, as far as they have been read. A changed message is a new object. */
  #texts = new WeakMap<Message, readonly NormalisedText[]>();
  #readings = 0;
  /** Where to go from to the first match of this query; undefined: the reader has been led there, or there was none. */
  #startsAt: string | null | undefined;

  constructor(ports: FindPorts) {
    this.#ports = ports;
  }

  open(): void {
    this.isOpen = true;
    this.setQuery(this.query);
  }

  close(): void {
    this.isOpen = false;
    this.searching = false;
    this.#readings += 1;
    this.#texts = new WeakMap();
    this.#counts = new Map();
    this.current = null;
  }

  setQuery(query: string): void {
    this.#startsAt = this.current?.messageId ?? this.#ports.anchor();
    this.current = null;
    this.query = query;
    void this.refresh();
  }

  /** Reads the messages that are new or have changed, from where the reader is, and counts again. */
  async refresh(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    let sliceEnd = performance.now() + SLICE_MS;
    let countAt = 0;
    this.searching = true;
    for (const message of this.#from(this.#startsAt)) {
      if (this.#texts.has(message)) continue;
      const texts = (await textRuns(message)).map(normaliseText);
      if (reading !== this.#readings) return;
      this.#texts.set(message, texts);
      const now = performance.now();
      if (now < sliceEnd) continue;
      if (now >= countAt) {
        this.#count();
        countAt = now + COUNT_EVERY_MS;
      }
      await new Promise((resolve) => setTimeout(resolve));
      if (reading !== this.#readings) return;
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.searching = false;
    this.#count();
    // Later messages are counted, but the reader isn't moved.
    this.#startsAt = undefined;
  }

  /** How often it occurs in a message, as far as that was searched. */
  countIn(messageId: string): number {
    return this.#counts.get(messageId) ?? 0;
  }

  /** Goes to the next or previous match, wrapping around. */
  step(by: 1 | -1): void {
    const found = this.#ports.messages().filter(({ id }) => this.countIn(id) > 0);
    const { current } = this;
    const at = found.findIndex(({ id }) => id === current?.messageId);
    if (current !== null && at !== -1) {
      const index = current.index + by;
      if (index >= 0 && index < this.countIn(current.messageId)) {
        this.#go({ messageId: current.messageId, index });
        return;
      }
    }
    const next = at === -1 ? found[by === 1 ? 0 : found.length - 1] : found.at((at + by) % found.length);
    if (next) this.#go({ messageId: next.id, index: by === 1 ? 0 : this.countIn(next.id) - 1 });
  }

  #go(match: Match): void {
    this.current = match;
    this.#ports.onGo(match);
  }

  /** All messages, the ones before that one last. */
  #from(id: string | null = null): Message[] {
    const messages = this.#ports.messages();
    const found = messages.findIndex((message) => message.id === id);
    const first = Math.max(0, found);
    return [...messages.slice(first), ...messages.slice(0, first)];
  }

  #count(): void {
    const query = this.normalised;
    const counts = new Map<string, number>();
    for (const message of query === '' ? [] : this.#from(this.#startsAt)) {
      const texts = this.#texts.get(message) ?? [];
      const count = texts.reduce((sum, text) => sum + findMatches(query, text).length / 2, 0);
      if (count > 0) counts.set(message.id, count);
    }
    this.#counts = counts;
    const [first] = counts.keys();
    if (this.#startsAt !== undefined && first !== undefined) {
      this.#startsAt = undefined;
      this.#go({ messageId: first, index: 0 });
    } else if (this.current !== null) {
      // A reply that was generated again may have lost the current match.
      const { messageId, index } = this.current;
      const count = this.countIn(messageId);
      if (index >= count) this.current = count === 0 ? null : { messageId, index: count - 1 };
    }
  }
}

/** The search in the conversation that a component is part of. */
export const [useFind, provideFind] = createContext<Find>();
