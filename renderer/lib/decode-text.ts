import { encodingOf, withoutNulls } from '../../shared/text-encoding.ts';

/** The text of a file's bytes, with `\n` line ends and no byte order mark; null when it isn't text. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(withoutNulls(bytes));
    return text.includes('\0') ? null : text.replace(/\r\n?/g, '\n');
  } catch {
    return null;
  }
}
