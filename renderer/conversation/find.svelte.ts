/* eslint-disable svelte/prefer-svelte-reactivity -- a map isn't changed any more once it is shown */
import type { Message } from '../../shared/api/message.ts';
import { normaliseQuery, normaliseText, placesOf } from './normalise-text.ts';
import { textRuns } from './message-text.ts';

/** How long the search may block the page at a time, in milliseconds. */
const SLICE_MS = 8;
/** How often the count is updated while searching, in milliseconds. */
const TELL_EVERY_MS = 120;

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
  /** The words of each message, and how often the query occurs in them. A changed message is a new object. */
  #texts = new WeakMap<Message, readonly string[]>();
  #known = new WeakMap<Message, number>();
  #runs = 0;
  /** No match of this query has been visited yet. */
  #wantsFirst = false;

  constructor(ports: FindPorts) {
    this.#ports = ports;
  }

  open(): void {
    this.isOpen = true;
    if (this.normalised !== '') void this.#search(true);
  }

  close(): void {
    this.isOpen = false;
    this.#stop();
    this.#texts = new WeakMap();
  }

  setQuery(query: string): void {
    this.query = query;
    this.#known = new WeakMap();
    if (this.normalised === '') this.#stop();
    else void this.#search(true);
  }

  /** Searches again: the messages have changed. */
  refresh(): Promise<void> {
    return this.isOpen && this.normalised !== '' ? this.#search(false) : Promise.resolve();
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

  #stop(): void {
    this.#runs += 1;
    this.#wantsFirst = false;
    this.searching = false;
    this.#counts = new Map();
    this.current = null;
  }

  /** `goes`: goes to the first match from where the reader is. */
  async #search(goes: boolean): Promise<void> {
    this.#runs += 1;
    const run = this.#runs;
    const messages = this.#ports.messages();
    const anchor = this.current?.messageId ?? this.#ports.anchor();
    const first = Math.max(
      0,
      messages.findIndex(({ id }) => id === anchor),
    );
    const counts = new Map<string, number>();
    let sliceEnd = performance.now() + SLICE_MS;
    let toldAt = performance.now();
    this.searching = true;
    if (goes) {
      this.current = null;
      this.#wantsFirst = true;
    }
    for (const message of [...messages.slice(first), ...messages.slice(0, first)]) {
      const count = await this.#count(message);
      if (run !== this.#runs) return;
      if (count > 0) {
        counts.set(message.id, count);
        if (this.#wantsFirst) {
          this.#wantsFirst = false;
          this.#counts = new Map(counts);
          this.#go({ messageId: message.id, index: 0 });
        }
      }
      const now = performance.now();
      if (now < sliceEnd) continue;
      // Counting only part of the changed messages would make the number jump down and up.
      if (goes && now - toldAt > TELL_EVERY_MS) {
        this.#counts = new Map(counts);
        toldAt = now;
      }
      await new Promise((resolve) => setTimeout(resolve));
      if (run !== this.#runs) return;
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#counts = counts;
    this.searching = false;
    // Later messages are counted, but the reader isn't moved.
    this.#wantsFirst = false;
    this.#keepCurrent();
  }

  /** A reply that was generated again may have lost the current match. */
  #keepCurrent(): void {
    if (this.current === null) return;
    const { messageId, index } = this.current;
    const count = this.countIn(messageId);
    if (index >= count) this.current = count === 0 ? null : { messageId, index: count - 1 };
  }

  async #count(message: Message): Promise<number> {
    const known = this.#known.get(message);
    if (known !== undefined) return known;
    let texts = this.#texts.get(message);
    if (texts === undefined) {
      texts = (await textRuns(message)).map((run) => normaliseText(run).normalised);
      this.#texts.set(message, texts);
    }
    const { normalised } = this;
    const count = texts.reduce((sum, text) => sum + placesOf(normalised, text).length, 0);
    this.#known.set(message, count);
    return count;
  }
}
