/** What the first bytes of an import say of it: exports of other apps may be far larger than those of Parley. */
const BYTE_ORDER_MARK = 'efbbbf';
const OPENING_BRACKET = 0x5b;

/** `zip` and `list` are exports of other apps, read from the disk; `object` is all else, read in memory. */
export type FileKind = 'zip' | 'list' | 'object';

/** The kind of a file that begins so. */
export function kindOfFile(bytes: Uint8Array): FileKind {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024));
  if (start.subarray(0, 2).toString('latin1') === 'PK') return 'zip';
  const text = start.subarray(start.subarray(0, 3).toString('hex') === BYTE_ORDER_MARK ? 3 : 0);
  return text.find((byte) => byte > 0x20) === OPENING_BRACKET ? 'list' : 'object';
}
