/** Reckoning tokens without a tokenizer. */
import type { Attachment } from './api/attachment.ts';
import { MAX_FILE_TEXT_CHARACTERS } from './limits.ts';

/** Near for English and most code; for other scripts it makes rather too many tokens than too few. */
export const BYTES_A_TOKEN = 3.5;

/** About what a picture takes, whatever its size: models look at it in tiles, or make it smaller. */
export const PICTURE_TOKENS = 1_600;

/** What a model reads beside its instructions (a tenth) and an answer (a quarter): files that take more of it are cut. */
export const ROOM_SHARE = 0.65;

/** Of the bytes of a PDF or DOCX, most are fonts, pictures and layout. */
const BYTES_A_CHARACTER_OF_DOCUMENTS = 10;

/** About how many tokens a file of a message is. What the text of a document comes to, nobody knows before it is read. */
export function reckonFile({ kind, bytes }: Pick<Attachment, 'kind' | 'bytes'>): number {
  if (kind === 'image') return PICTURE_TOKENS;
  const characters = kind === 'text' ? bytes : bytes / BYTES_A_CHARACTER_OF_DOCUMENTS;
  return Math.ceil(Math.min(characters, MAX_FILE_TEXT_CHARACTERS) / BYTES_A_TOKEN);
}
