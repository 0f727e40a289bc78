/** Files of a message, as the assistant reads them: like text that was pasted. */
import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { fenceFor } from '../../../../shared/file-block.ts';
import { fileOf, isFilePart } from '../../file-parts.ts';

/** A file of a message. */
export interface AttachedFile {
  name: string;
  isPicture: boolean;
  /** Null: there is none that can be read. */
  text: string | null;
  /** Only its beginning was read. */
  isCut: boolean;
  /** Why there is no text, or null; see `TurnFile`. */
  reason: string | null;
}

/** Text read of all files together. */
const MAX_CHARACTERS = 400_000;

const TOO_MUCH = 'is too much for one message';

/** What a user message says without its files, and those. */
export function readAttached(message: LanguageModelV4Message): { words: string; files: AttachedFile[] } {
  if (message.role !== 'user') return { words: '', files: [] };
  const words: string[] = [];
  const files: AttachedFile[] = [];
  let left = MAX_CHARACTERS;
  for (const part of message.content) {
    const file = isFilePart(part) ? null : fileOf(part);
    if (isFilePart(part)) {
      const name = part.filename ?? 'the picture';
      files.push({ name, isPicture: true, text: null, isCut: false, reason: null });
    } else if (file === null) words.push(part.text);
    else {
      const reason = file.reason ?? (left === 0 ? TOO_MUCH : null);
      const text = reason === null ? part.text.slice(0, left) : null;
      const isCut = text !== null && (file.isCut || part.text.length > left);
      files.push({ name: file.name, isPicture: file.mediaType.startsWith('image/'), text, isCut, reason });
      left -= text?.length ?? 0;
    }
  }
  return { words: words.filter((text) => text !== '').join('\n\n'), files };
}

/** Words with the text of files behind them, each as a block of code. */
export const withBlocks = (words: string, files: readonly AttachedFile[]): string =>
  [words, ...files.flatMap(({ text }) => (text === null ? [] : [blockOf(text)]))]
    .filter((part) => part !== '')
    .join('\n\n');

const blockOf = (text: string): string => `${fenceFor(text)}\n${text}\n${fenceFor(text)}`;
