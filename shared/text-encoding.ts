/** How far into a text its first Japanese word is looked for, in bytes. */
const MAX_BEGINNING = 4_096;
const ISO_2022_JP = /^[\0-\x7f]*\x1b\$[@B]/;

/**
 * The encoding of a text file: UTF-8, UTF-16 or UTF-32 if its byte order mark says so, or that of Japanese mails if an escape
 * sequence does. Named as `TextDecoder` does.
 */
export function encodingOf(
  beginning: Uint8Array,
): 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be' | 'iso-2022-jp' {
  const [first, second, third, fourth] = beginning;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-32le' : 'utf-16le';
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return 'utf-32be';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = new TextDecoder('latin1').decode(beginning.subarray(0, MAX_BEGINNING));
  return ISO_2022_JP.test(start) ? 'iso-2022-jp' : 'utf-8';
}

/** More of them at the end are no text: a crash leaves them in logs. Fewer may belong to UTF-16. */
const MAX_NULLS = 3;

/** The bytes without a run of NULs at the end. */
export function withoutNulls(bytes: Uint8Array): Uint8Array {
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  return bytes.length - end > MAX_NULLS && encodingOf(bytes) === 'utf-8' ? bytes.subarray(0, end) : bytes;
}
