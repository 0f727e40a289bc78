/**
 * Draws a long list of parts (blocks, rows, items, pieces of a text) slice by slice, so that no message holds up the page: what is
 * seen first at once, then a slice a frame. Short lists, and those that grow by a little, are always drawn whole.
 */
import { createContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { nextFrame } from './frames.ts';
import { holdersIn, type Holder } from './markdown.ts';

/** How much is drawn at first, and with each frame after that, in characters. */
const SLICE_CHARACTERS = 12_000;
/** What each element costs beside its text, in characters. */
const ELEMENT_CHARACTERS = 40;
/** What is drawn with buttons of its own, and with as many elements. */
const WITH_BUTTONS = new Set<string | undefined>(['image', 'code', 'table']);
const BUTTON_ELEMENTS = 12;

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
    WITH_BUTTONS.has(part.type) ? BUTTON_ELEMENTS : 0,
  );

/** How many parts fill a box: of running text (twice as many at most), blocks or items, rows of a table. */
const RUN_PARTS = 150;
const GROUP_PARTS = 50;
export const GROUP_ROWS = 100;
/** A box with this many characters holds no more, however few its parts. */
const GROUP_CHARACTERS = 10_000;
/** What a run of text ends with, if it can, so that no sentence is broken. */
const RUN_END = /[，。！？；、,.!?;]\s*$/u;

/** What the parts of a list are; `others` are not put into boxes. */
export type Kind = 'blocks' | 'text' | 'rows' | 'others';

/** Whether a box is full after this part. */
const IS_FULL: Record<Kind, (parts: number, characters: number, raw: string) => boolean> = {
  blocks: (parts, characters) => parts === GROUP_PARTS || characters >= GROUP_CHARACTERS,
  text: (parts, _, raw) => parts >= 2 * RUN_PARTS || (parts >= RUN_PARTS && RUN_END.test(raw)),
  rows: (parts) => parts === GROUP_ROWS,
  others: () => false,
};

/** Parts that share a box. The first box has no element of its own, unless its parts are rows. */
export interface Box<T> {
  /** Its index among all. */
  number: number;
  /** The index of its first part. */
  first: number;
  parts: readonly T[];
}

/** The drawn parts in boxes, almost always one. When parts are added behind them, all but the last stay as they are. */
export function boxesOf<T extends Part>(
  parts: readonly T[],
  { first, last }: { first: number; last: number },
  of: Kind,
): Box<T>[] {
  const boxes: Box<T>[] = [];
  let [number, from, characters] = [0, 0, 0];
  for (let index = 0; index < last; index += 1) {
    const part = parts[index] ?? '';
    const raw = typeof part === 'object' && 'raw' in part ? (part.raw ?? '') : '';
    const end = index + 1;
    characters += raw.length;
    if (!IS_FULL[of](end - from, characters, raw) && end < last) continue;
    const shown = Math.max(first, from);
    if (shown < end) boxes.push({ number, first: shown, parts: parts.slice(shown, end) });
    [number, from, characters] = [number + 1, end, 0];
  }
  return boxes;
}

/** Marks a box while it has had as many parts for a second: by then it has been laid out, and its height is known. */
export const markMeasured =
  (_parts: number): Attachment<HTMLElement> =>
  (box) => {
    const timer = setTimeout(() => (box.dataset['measured'] = ''), 1_000);
    return () => {
      clearTimeout(timer);
      delete box.dataset['measured'];
    };
  };

/** Which parts of a list are drawn so far: they grow until they are all. */
export class Slices<T extends Part> {
  readonly #pace = usePace();
  readonly #parts: () => readonly T[];
  readonly #isInline: boolean;
  #head: T | undefined;
  #first = 0;
  #last = 0;
  #isWaiting = false;
  #frames = $state(0);
  /** The range that is drawn; `last` is exclusive. */
  readonly drawn = $derived.by(() => this.#grow(this.#parts(), this.#frames));

  /** `isInline`: they share lines, all of which the browser breaks again when text is added before them. Their start is drawn first. */
  constructor(parts: () => readonly T[], isInline: boolean) {
    this.#parts = parts;
    this.#isInline = isInline;
  }

  #grow(parts: readonly T[], _frames: number): { first: number; last: number } {
    const { length } = parts;
    let [first, last] = [Math.min(this.#first, length), Math.min(this.#last, length)];
    let room = SLICE_CHARACTERS;
    // This is another text, or the same one newly parsed.
    if (parts[0] !== this.#head) first = last = 0;
    for (; last < length && room > 0; last += 1) room -= costOf(parts[last] ?? '');
    if (last < length && this.#pace.fromEnd && !this.#isInline) {
      first = last = length;
      room = SLICE_CHARACTERS;
    }
    for (; first > 0 && room > 0; first -= 1) room -= costOf(parts[first - 1] ?? '');
    const isAll = first === 0 && last === length;
    // Read last, so that the thousands of short lists don't depend on it.
    if (!isAll && this.#pace.whole) [first, last] = [0, length];
    else if (!isAll) this.#growSoon();
    [this.#head, this.#first, this.#last] = [parts[0], first, last];
    return { first, last };
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
