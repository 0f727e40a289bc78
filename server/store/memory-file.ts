/** A whole file as pieces of {@link FILE_PIECE_BYTES} each; the last one may reach past the end. */
export interface FileImage {
  /** In shared memory, so that a thread can read them without a copy. Nobody writes to them any more. */
  readonly pieces: readonly Uint8Array[];
  /** The file's length. */
  readonly bytes: number;
}

/** A multiple of every page size that SQLite has. */
export const FILE_PIECE_BYTES = 256 * 1024;

/**
 * With a largest size, V8 gets a piece from the system and gives it back. Without, it comes from the C library's heap, which keeps what a
 * compaction has freed.
 */
const newPiece = (): Uint8Array =>
  new Uint8Array(
    new SharedArrayBuffer(FILE_PIECE_BYTES, { maxByteLength: FILE_PIECE_BYTES }),
    0,
    FILE_PIECE_BYTES,
  );

/**
 * A file in memory that grows without being copied. {@link freeze} makes a copy at once: it shares all pieces, and each is
 * copied only when it is next written.
 */
export class MemoryFile {
  readonly #pieces: Uint8Array[];
  /** Pieces that an image shares, by index. */
  #frozen: boolean[];
  #bytes: number;
  /** How many images are in use. */
  #images: number;
  /** For the next copies: no image holds them any more. */
  readonly #spare: Uint8Array[] = [];

  constructor(image?: FileImage) {
    this.#pieces = [...(image?.pieces ?? [])];
    this.#frozen = this.#pieces.map(() => true);
    this.#bytes = image?.bytes ?? 0;
    this.#images = image === undefined ? 0 : 1;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The file as it is now; later writes don't change it. Call {@link release} when nobody reads it any more. */
  freeze(): FileImage {
    this.#frozen = this.#pieces.map(() => true);
    this.#images += 1;
    return { pieces: [...this.#pieces], bytes: this.#bytes };
  }

  /** Takes back an image of this file, or the one it was made of, at once instead of when memory is short. */
  release({ pieces }: FileImage): void {
    this.#images -= 1;
    if (this.#images > 0) return;
    for (const [index, piece] of pieces.entries()) {
      if (this.#pieces[index] === piece) this.#frozen[index] = false;
      else this.#spare.push(piece);
    }
  }

  /** The bytes from `start` to `end`, which must be in one piece. */
  read(start: number, end: number): Uint8Array {
    const { piece, offset } = locate(start, end);
    return (this.#pieces[piece] ?? NOTHING).subarray(offset, offset + end - start);
  }

  /** Writes bytes that belong into one piece. Throws RangeError when there is no memory for it. */
  write(bytes: Uint8Array, start: number): void {
    const { piece, offset } = locate(start, start + bytes.length);
    this.#writable(piece).set(bytes, offset);
    this.#bytes = Math.max(this.#bytes, start + bytes.length);
  }

  #writable(index: number): Uint8Array {
    while (this.#pieces.length <= index) this.#pieces.push(newPiece());
    let piece = this.#pieces[index] ?? NOTHING;
    if (this.#frozen[index]) {
      const copy = this.#spare.pop() ?? newPiece();
      copy.set(piece);
      piece = copy;
      this.#pieces[index] = copy;
      this.#frozen[index] = false;
    }
    return piece;
  }
}

const NOTHING = new Uint8Array();

function locate(start: number, end: number): { piece: number; offset: number } {
  const piece = Math.floor(start / FILE_PIECE_BYTES);
  const offset = start - piece * FILE_PIECE_BYTES;
  if (offset + end - start > FILE_PIECE_BYTES) throw new RangeError('A page reaches across two pieces.');
  return { piece, offset };
}

/** The parts of an image, in order and without what is past its end. */
export function* partsOf({ pieces, bytes }: FileImage): Generator<Uint8Array> {
  for (const [index, piece] of pieces.entries()) yield piece.subarray(0, bytes - index * FILE_PIECE_BYTES);
}
