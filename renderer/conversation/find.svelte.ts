/* eslint-disable svelte/prefer-svelte-reactivity -- a map that was shown is not changed any more */
import type { Message } from '../../shared/api/message.ts';
import { normaliseQuery, normaliseText, placesOf } from './normalise-text.ts';
import { textRuns } from './message-text.ts';

/** So long the page is kept from other things at a time, in milliseconds. */
const SLICE_MS = 8;
/** How often the count is updated while the search goes on, in milliseconds. */
const TELL_EVERY_MS = 120;

/** Something that was found: in which message, and its index there, from 0. */
export interface Match {
  messageId: string;
  index: number;
}

/** What {@link Find} needs. */
export interface FindPorts {
  /** In reading order. */
  messages(): readonly Message[];
  /** The message that is read now: from there on is looked first. */
  anchor(): string | null;
  /** Brings a match into view. */
  onGo(match: Match): void;
}

/** Looking for words in all messages of the open chat, whether they are drawn or not. */
export class Find {
  isOpen = $state(false);
  query = $state('');
  /** The input has the focus. */
  focused = $state(false);
  /** Not all messages have been looked at yet. */
  searching = $state(false);
  /** The one that was gone to last; null: none. */
  current = $state.raw<Match | null>(null);
  readonly normalised = $derived(normaliseQuery(this.query));
  /** How often it occurs in which message. */
  #counts = $state.raw<ReadonlyMap<string, number>>(new Map());
  readonly total = $derived([...this.#counts.values()].reduce((sum, count) => sum + count, 0));
  /** Number of the current one among all, from 1; null: there is none. */
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
  /** The words of messages, and how often the query occurs in them. A message that changes is another object. */
  #texts = new WeakMap<Message, readonly string[]>();
  #known = new WeakMap<Message, number>();
  #runs = 0;
  /** Nothing has been gone to since something else was looked for. */
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

  /** Looks again: the messages have changed. */
  refresh(): Promise<void> {
    return this.isOpen && this.normalised !== '' ? this.#search(false) : Promise.resolve();
  }

  /** How often it occurs in a message, as far as is known. */
  countIn(messageId: string): number {
    return this.#counts.get(messageId) ?? 0;
  }

  /** Goes to the next one, or the one before; after the last comes the first. */
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

  /** `goes`: to the first that is found from where the reader is. */
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
      // An unfinished look at changed messages would make the number jump down and up.
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
    // What comes into the chat later is counted, and leads nobody away from where they read.
    this.#wantsFirst = false;
    this.#keepCurrent();
  }

  /** A reply that is made anew may have lost what was found in it. */
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
