/** Telling text from other data, and saying what other data may be. Texts are UTF-8. */
import { extname } from 'node:path';

/** What bytes are: a text without its mark, or a guess at what else. */
export type Content = { text: string; hasMark: boolean } | { guess: string };

const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['89504e470d0a1a0a', 'a PNG picture'],
  ['ffd8ff', 'a JPEG picture'],
  ['47494638', 'a GIF picture'],
  ['25504446', 'a PDF document'],
  ['1f8b', 'data packed with gzip'],
  ['7f454c46', 'a program'],
  ['4d5a', 'a Windows program'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
  ['fffe', 'text in UTF-16'],
  ['feff', 'text in UTF-16'],
];
const PACKED: Readonly<Record<string, string>> = {
  '.docx': 'a Word document',
  '.xlsx': 'an Excel workbook',
  '.pptx': 'a PowerPoint presentation',
  '.odt': 'an OpenDocument text',
  '.ods': 'an OpenDocument table',
  '.epub': 'an e-book',
};
const ZIP = '504b0304';
/** What no text holds: control characters but tab, line ends, form feed and escape. */
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** Reads bytes as UTF-8; what isn't that is guessed at, by its beginning and by the file's name. */
export function readContent(bytes: Uint8Array, name: string): Content {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return { text, hasMark };
  } catch {
    // Something else, then.
  }
  return { guess: guess(bytes, name) };
}

/** The text with the mark and the line ends of the file that it replaces; line ends other than `\n` are kept. */
export function inStyleOf(before: Uint8Array, text: string): string {
  const old = Buffer.from(before.buffer, before.byteOffset, before.byteLength).toString('latin1');
  const ends = old.split('\n').length - 1;
  const usesCrLf = ends > 0 && 2 * (old.split('\r\n').length - 1) > ends;
  const body = usesCrLf && !text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  return old.startsWith('\u00ef\u00bb\u00bf') && !body.startsWith('\ufeff') ? `\ufeff${body}` : body;
}

/** Whether the start of a file shows that it isn't text: enough to skip it in a search. */
export const looksBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8_192).includes(0);

function guess(bytes: Uint8Array, name: string): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  if (start.startsWith(ZIP)) return PACKED[extname(name).toLowerCase()] ?? 'a ZIP archive';
  const known = BEGINNINGS.find(([beginning]) => start.startsWith(beginning));
  if (known !== undefined) return known[1];
  const sample = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  return CONTROL.test(sample) ? 'binary data' : 'text in another encoding than UTF-8';
}
