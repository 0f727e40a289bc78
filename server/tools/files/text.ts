/** Telling text from other data, and saying what other data may be. */
import { extname } from 'node:path';
import { encodingOf, withoutNulls } from '../../../shared/text-encoding.ts';
import { CONTROL, decodeText, type DecodedText } from '../../lib/decode-text.ts';

/** What bytes are: a text, or a guess at what else. */
export type FileContent = DecodedText | { guess: string };

const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['89504e470d0a1a0a', 'a PNG picture'],
  ['ffd8ff', 'a JPEG picture'],
  ['47494638', 'a GIF picture'],
  ['25504446', 'a PDF document'],
  ['1f8b', 'data packed with gzip'],
  ['7f454c46', 'a program'],
  ['4d5a', 'a Windows program'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
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
/** Reads bytes in whatever encoding; what isn't text is guessed at, by its beginning and by the file's name. */
export const readContent = async (bytes: Uint8Array, name: string): Promise<FileContent> =>
  (await decodeText(bytes)) ?? { guess: guess(bytes, name) };

/** A text with the mark and the line ends of the one that it replaces; line ends other than `\n` are kept. */
export function inStyleOf({ text: old, hasMark }: DecodedText, text: string): string {
  const ends = old.split('\n').length - 1;
  const usesCrLf = ends > 0 && 2 * (old.split('\r\n').length - 1) > ends;
  const body = usesCrLf ? text.replace(/\r?\n/g, '\r\n') : text;
  return hasMark && !body.startsWith('\ufeff') ? `\ufeff${body}` : body;
}

/** Whether the start of a file shows that it isn't text: enough to skip it in a search. */
export const looksBinary = (bytes: Uint8Array): boolean =>
  encodingOf(bytes) === 'utf-8' && withoutNulls(bytes).subarray(0, 8_192).includes(0);

function guess(bytes: Uint8Array, name: string): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  if (start.startsWith(ZIP)) return PACKED[extname(name).toLowerCase()] ?? 'a ZIP archive';
  const known = BEGINNINGS.find(([beginning]) => start.startsWith(beginning));
  if (known !== undefined) return known[1];
  const sample = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  return CONTROL.test(sample) ? 'binary data' : 'text in an unknown encoding';
}
