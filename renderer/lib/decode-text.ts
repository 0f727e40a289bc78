import { encodingOf, withoutNulls } from '../../shared/text-encoding.ts';
import { attempt } from '../../shared/attempt.ts';

/** The text of a file's bytes, with `\n` line ends and no byte order mark; null when it isn't text. */
export function decodeMarked(bytes: Uint8Array): string | null {
  const decode = (): string =>
    new TextDecoder(encodingOf(bytes), { fatal: true }).decode(withoutNulls(bytes));
  const text = attempt(decode, null);
  return text === null || text.includes('\0') ? null : text.replace(/\r\n?/g, '\n');
}
