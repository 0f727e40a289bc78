const LINE_END = 0x0a;

/** Splits pieces of any size into lines. Each byte is searched once and copied once, however long a line gets. */
export class LineBuffer {
  readonly #maxBytes: number;
  /** The line so far. */
  #pieces: Buffer[] = [];
  #size = 0;

  /** Takes lines of up to this many bytes. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in this piece, without their ends; null: one is too long. */
  take(piece: Buffer): string[] | null {
    const lines: string[] = [];
    let from = 0;
    for (let end = piece.indexOf(LINE_END); end !== -1; end = piece.indexOf(LINE_END, from)) {
      if (!this.#add(piece.subarray(from, end))) return null;
      lines.push(Buffer.concat(this.#pieces).toString().replace(/\r$/, ''));
      this.#pieces = [];
      this.#size = 0;
      from = end + 1;
    }
    return this.#add(piece.subarray(from)) ? lines : null;
  }

  #add(piece: Buffer): boolean {
    this.#pieces.push(piece);
    this.#size += piece.length;
    return this.#size <= this.#maxBytes;
  }
}
