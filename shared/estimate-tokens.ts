/** Estimates tokens without a tokenizer. */
import type { Attachment } from './api/attachment.ts';
import { MAX_FILE_TEXT_CHARACTERS } from './limits.ts';

/** Close for English and most code; for other scripts it gives too many tokens rather than too few. */
export const BYTES_A_TOKEN = 3.5;

/** About what a picture takes, whatever its size: models split it into tiles, or scale it down. */
export const PICTURE_TOKENS = 1_600;

/**
 * The share of a model's context left beside its instructions (a tenth) and an answer (a quarter): files that take more
 * are cut.
 */
export const ROOM_SHARE = 0.65;

/** Most bytes of a PDF or DOCX are fonts, pictures and layout. */
const BYTES_A_CHARACTER_OF_DOCUMENTS = 10;

/** Estimated tokens of a message's file. For a document this is a guess, since its text isn't known before it is read. */
export function estimateFile({ kind, bytes }: Pick<Attachment, 'kind' | 'bytes'>): number {
  if (kind === 'image') return PICTURE_TOKENS;
  const characters = kind === 'text' ? bytes : bytes / BYTES_A_CHARACTER_OF_DOCUMENTS;
  return Math.ceil(Math.min(characters, MAX_FILE_TEXT_CHARACTERS) / BYTES_A_TOKEN);
}
