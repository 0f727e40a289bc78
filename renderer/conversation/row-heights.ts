import type { Attachment } from '../../shared/api/attachment.ts';

/** What the estimate of a row's height needs. */
export interface Row {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** Rows `start` to `end` (exclusive) are drawn; `above` and `below` are the heights of the others, in CSS pixels. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
  readonly above: number;
  readonly below: number;
}

const PLAIN_ROW_PX = 84;
const LINE_PX = 26;
const LINE_CHARACTERS = 80;
const HIGHEST_GUESS_PX = 4_000;
const SINGLE_PICTURE_PX = 198;
const PICTURE_PX = 134;
const PICTURES_A_ROW = 4;
const NAME_PX = 42;

/** An estimated height until the row has been drawn once. */
function guessHeight({ content, attachments = [] }: Row): number {
  const lines = Math.floor(content.length / LINE_CHARACTERS) * LINE_PX;
  // As FileList lays them out in a wide window.
  const pictures = attachments.filter(({ kind }) => kind === 'image').length;
  const tiles = pictures === 1 ? SINGLE_PICTURE_PX : Math.ceil(pictures / PICTURES_A_ROW) * PICTURE_PX;
  const names = (attachments.length - pictures) * NAME_PX;
  return Math.min(HIGHEST_GUESS_PX, PLAIN_ROW_PX + lines + tiles + names);
}

/** The position of each row of a long list: by measured height where it has been drawn, else by an estimate. */
export class RowHeights {
  #rows: readonly Row[] = [];
  readonly #measured = new Map<string, number>();
  /** Where each row begins; the last entry is the end of the list. Correct up to `#validTo`, inclusive. */
  #offsets = new Float64Array(1);
  #validTo = 0;

  setRows(rows: readonly Row[]): void {
    if (rows === this.#rows) return;
    const before = this.#rows;
    this.#rows = rows;
    let same = 0;
    while (same < rows.length && rows[same]?.id === before[same]?.id) same += 1;
    this.#validTo = Math.min(this.#validTo, same);
    if (this.#offsets.length <= rows.length) {
      const grown = new Float64Array(rows.length * 2 + 16);
      grown.set(this.#offsets);
      this.#offsets = grown;
    }
  }

  /** Sets the measured height of a row, in CSS pixels. */
  measure(id: string, height: number): void {
    if (this.#measured.get(id) === height) return;
    this.#measured.set(id, height);
    const index = this.indexOf(id);
    if (index !== -1) this.#validTo = Math.min(this.#validTo, index);
  }

  /** The index of a row in the list; -1 when it isn't there. Rows near the end are found fastest. */
  indexOf(id: string): number {
    return this.#rows.findLastIndex((row) => row.id === id);
  }

  /** Where a row begins, from the start of the list; for the count of rows: where the list ends. */
  offsetOf(index: number): number {
    for (let at = this.#validTo; at < index; at += 1) {
      const row = this.#rows[at];
      const height = row ? (this.#measured.get(row.id) ?? guessHeight(row)) : 0;
      this.#offsets[at + 1] = (this.#offsets[at] ?? 0) + height;
    }
    this.#validTo = Math.max(this.#validTo, index);
    return this.#offsets[index] ?? 0;
  }

  /** The row at that position; the first or last for positions outside the list. */
  indexAt(offset: number): number {
    this.offsetOf(this.#rows.length);
    let [low, high] = [0, Math.max(0, this.#rows.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.offsetOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The rows that cover a part of the list. */
  rangeOver(top: number, bottom: number): { start: number; end: number } {
    if (this.#rows.length === 0) return { start: 0, end: 0 };
    return { start: this.indexAt(top), end: this.indexAt(bottom) + 1 };
  }
}
