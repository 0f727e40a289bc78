/** Reads files that people give as text, and says in one word why one can't be taken. */
import { cleanFileName } from '../../shared/file-block.ts';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { decodeText } from '../lib/decode-text.ts';

/** A text file that goes with a message. */
export interface TextFile {
  /** Of this page's making, to tell files of the same name apart. */
  id: string;
  name: string;
  /** With `\n` at the ends of lines, without a byte order mark. */
  text: string;
  /** Of the file as it was given, in bytes. */
  bytes: number;
}

/**
 * Why a file wasn't taken. `too_long`: its text alone is more than a message may hold. `not_text`: neither UTF-8 nor UTF-16 with a byte order mark. `unreadable`: the browser could not read it, as
 * with a folder. `too_many`: the message has {@link MAX_FILES} already.
 */
export type FileTrouble = 'too_long' | 'not_text' | 'empty' | 'unreadable' | 'too_many';

/** A file that wasn't taken. */
export interface RefusedFile {
  name: string;
  trouble: FileTrouble;
}

/** Most files one message may have. */
export const MAX_FILES = 20;

/** A larger file holds more characters than a message may, whatever they are: it need not be read. In bytes. */
const MOST_BYTES = 4 * MAX_CONTENT_CHARACTERS + 4;

/** Characters (code points) of a text, as messages are measured. */
export function countCharacters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const high = text.charCodeAt(at);
    if (high < 0xd800 || high > 0xdbff) continue;
    const low = text.charCodeAt(at + 1);
    if (!(low >= 0xdc00 && low <= 0xdfff)) continue;
    pairs += 1;
    at += 1;
  }
  return text.length - pairs;
}

/** Reads a file as text. Never rejects. */
export async function readTextFile(file: File): Promise<TextFile | RefusedFile> {
  const name = cleanFileName(file.name);
  if (file.size > MOST_BYTES) return { name, trouble: 'too_long' };
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { name, trouble: 'unreadable' };
  }
  const text = decodeText(bytes);
  if (text === null) return { name, trouble: 'not_text' };
  if (text.trim() === '') return { name, trouble: 'empty' };
  if (countCharacters(text) > MAX_CONTENT_CHARACTERS) return { name, trouble: 'too_long' };
  return { id: crypto.randomUUID(), name, text, bytes: bytes.length };
}

/** Whether something that is dragged or pasted holds files. */
export const holdsFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false;
