/** The kind of an import by its first bytes: exports of other apps may be far larger than Parley's. */
const OPENING_BRACKET = 0x5b;
/** How much of a file shows its kind. */
export const BEGINNING_BYTES = 1_024;

/** `zip` and `list` are exports of other apps; `object` is all else. */
export type FileKind = 'zip' | 'list' | 'object';

/** The kind of a file that begins so. */
export function kindOfFile(bytes: Uint8Array): FileKind {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, BEGINNING_BYTES));
  if (start.subarray(0, 2).toString('latin1') === 'PK') return 'zip';
  // After a byte order mark, and whether a character takes one byte or two.
  return start.find((byte) => byte > 0x20 && byte < 0x7f) === OPENING_BRACKET ? 'list' : 'object';
}

/** The bytes without a byte order mark before them. */
export const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).toString('hex') === 'efbbbf' ? bytes.subarray(3) : bytes;
