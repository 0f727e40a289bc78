/**
 * Draws a long list of nodes part by part, so that no message holds up the page: what is seen first at once, then a slice a frame.
 * Whatever needs all of a message (search, paper, a jump into it) has it drawn at once. Short lists, and those that grow by a
 * little, always are.
 */
import { createContext } from 'svelte';
import { nextFrame } from './frames.ts';

/** How much is drawn at first, and with each frame after that, in characters of the source. */
const FIRST_CHARACTERS = 8_000;
const SLICE_CHARACTERS = 4_000;
/** What a node costs beside its text, in characters. */
const NODE_CHARACTERS = 10;

/** How the messages around are drawn. */
export interface Pace {
  /** All at once. */
  readonly whole: boolean;
  /** The reader is at the end, which is drawn first. */
  readonly fromEnd: boolean;
}

/** The pace of the list of messages that a component is part of. */
export const [usePace, providePace] = createContext<Pace>();

/** The part of a list of nodes that is drawn so far: it grows until it is all of them. */
export class Slices<T extends { raw: string }> {
  readonly #pace = usePace();
  readonly #nodes: () => T[];
  #head: T | undefined;
  #first = 0;
  #last = 0;
  #isWaiting = false;
  #frames = $state(0);
  readonly #part = $derived.by(() => this.#grow(this.#nodes(), this.#frames));

  constructor(nodes: () => T[]) {
    this.#nodes = nodes;
  }

  get shown(): T[] {
    return this.#part.shown;
  }

  /** The index among all nodes of the first that is shown. */
  get first(): number {
    return this.#part.first;
  }

  #grow(nodes: T[], _frames: number): { shown: T[]; first: number } {
    const { length } = nodes;
    let [first, last] = [Math.min(this.#first, length), Math.min(this.#last, length)];
    let room = SLICE_CHARACTERS;
    if (nodes[0] !== this.#head) {
      // Another text, or it has been parsed by now.
      first = last = 0;
      room = FIRST_CHARACTERS;
    }
    const costOf = (node: T | undefined): number => NODE_CHARACTERS + (node?.raw.length ?? 0);
    for (; last < length && room > 0; last += 1) room -= costOf(nodes[last]);
    if (last < length && this.#pace.fromEnd) {
      first = last = length;
      room = FIRST_CHARACTERS;
    }
    for (; first > 0 && room > 0; first -= 1) room -= costOf(nodes[first - 1]);
    const isAll = first === 0 && last === length;
    // Read only then: thousands of short lists needn't follow it.
    if (!isAll && this.#pace.whole) [first, last] = [0, length];
    else if (!isAll) this.#growSoon();
    [this.#head, this.#first, this.#last] = [nodes[0], first, last];
    return { shown: last - first === length ? nodes : nodes.slice(first, last), first };
  }

  #growSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    nextFrame(() => {
      this.#isWaiting = false;
      this.#frames += 1;
    });
  }
}
