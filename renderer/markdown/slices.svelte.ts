/**
 * Draws a long list of parts (blocks, rows, items, pieces of a text) slice by slice, so that no message holds up the page: what is
 * seen first at once, then a slice a frame. Short lists, and those that grow by a little, are always drawn whole.
 */
import { createContext } from 'svelte';
import { nextFrame } from './frames.ts';
import { holdersIn, type Holder } from './markdown.ts';

/** How much is drawn at first, and with each frame after that, in characters. */
const SLICE_CHARACTERS = 12_000;
/** What each element costs beside its text, in characters. */
const ELEMENT_CHARACTERS = 40;
/** As many elements a picture is drawn with. */
const PICTURE_ELEMENTS = 12;

/** How the messages around are drawn. */
export interface Pace {
  /** All at once. */
  readonly whole: boolean;
  /** The reader is at the end, which is drawn first. */
  readonly fromEnd: boolean;
}

/** The pace of the list of messages that a component is part of. */
export const [usePace, providePace] = createContext<Pace>();

/** What can be drawn slice by slice: a run of text, a token or item, or a row of cells. */
export type Part = string | Holder | readonly Holder[];

const costOf = (part: Part): number => {
  if (typeof part === 'string') return part.length;
  if ('length' in part) return part.reduce((sum, one) => sum + costOf(one), 0);
  return (part.raw ?? part.text ?? '').length + elementsIn(part) * ELEMENT_CHARACTERS;
};

const elementsIn = (part: Holder): number =>
  holdersIn(part).reduce(
    (sum, { tokens = [] }) => tokens.reduce((inside, token) => inside + elementsIn(token), sum + 1),
    part.type === 'image' ? PICTURE_ELEMENTS : 0,
  );

/** The parts of a list that are drawn so far: they grow until they are all. */
export class Slices<T extends Part> {
  readonly #pace = usePace();
  readonly #parts: () => readonly T[];
  readonly #isInline: boolean;
  #head: T | undefined;
  #first = 0;
  #last = 0;
  #isWaiting = false;
  #frames = $state(0);
  readonly #drawn = $derived.by(() => this.#grow(this.#parts(), this.#frames));

  /** `isInline`: they share lines, all of which the browser breaks again when text is added before them. Their start is drawn first. */
  constructor(parts: () => readonly T[], isInline: boolean) {
    this.#parts = parts;
    this.#isInline = isInline;
  }

  get shown(): readonly T[] {
    return this.#drawn.shown;
  }

  /** The index among all parts of the first that is shown. */
  get first(): number {
    return this.#drawn.first;
  }

  #grow(parts: readonly T[], _frames: number): { shown: readonly T[]; first: number } {
    const { length } = parts;
    let [first, last] = [Math.min(this.#first, length), Math.min(this.#last, length)];
    let room = SLICE_CHARACTERS;
    // Another text, or it has been parsed by now.
    if (parts[0] !== this.#head) first = last = 0;
    for (; last < length && room > 0; last += 1) room -= costOf(parts[last] ?? '');
    if (last < length && this.#pace.fromEnd && !this.#isInline) {
      first = last = length;
      room = SLICE_CHARACTERS;
    }
    for (; first > 0 && room > 0; first -= 1) room -= costOf(parts[first - 1] ?? '');
    const isAll = first === 0 && last === length;
    // Read only then: thousands of short lists needn't follow it.
    if (!isAll && this.#pace.whole) [first, last] = [0, length];
    else if (!isAll) this.#growSoon();
    [this.#head, this.#first, this.#last] = [parts[0], first, last];
    return { shown: last - first === length ? parts : parts.slice(first, last), first };
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
