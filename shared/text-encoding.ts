/** The encoding of a text file: UTF-8, or UTF-16 if its byte order mark says so. Named as `TextDecoder` does. */
export function encodingOf(beginning: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = beginning;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
