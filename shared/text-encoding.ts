/** How the text of a file is written: UTF-8, or the UTF-16 that its byte order mark tells of. As `TextDecoder` names it. */
export function encodingOf(beginning: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = beginning;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
