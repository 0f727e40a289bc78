const LINE_END = 0x0a;
/** Room that is kept for the next line. */
const KEPT_BYTES = 256 * 1024;

/** Splits pieces of any size into lines. Each byte is searched once and copied a few times, however long a line gets. */
export class LineBuffer {
  readonly #maxBytes: number;
  #room = Buffer.alloc(0);
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
      lines.push(this.#end());
      from = end + 1;
    }
    return this.#add(piece.subarray(from)) ? lines : null;
  }

  #add(piece: Buffer): boolean {
    const size = this.#size + piece.length;
    if (size > this.#maxBytes) return false;
    if (size > this.#room.length) {
      const room = Buffer.allocUnsafe(Math.max(size, this.#room.length * 2));
      this.#room.copy(room, 0, 0, this.#size);
      this.#room = room;
    }
    piece.copy(this.#room, this.#size);
    this.#size = size;
    return true;
  }

  #end(): string {
    const line = this.#room.toString('utf8', 0, this.#size).replace(/\r$/, '');
    this.#size = 0;
    if (this.#room.length > KEPT_BYTES) this.#room = Buffer.alloc(0);
    return line;
  }
}
