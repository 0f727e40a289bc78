/**
 * Reckoning tokens without a tokenizer, which would hold 45 MB: before a turn, and where a model tells nothing. Three and a half
 * bytes a token is near for English and most code, and for other scripts rather too many tokens than too few.
 */
import type { Attachment } from '../../shared/api/attachment.ts';
import type { Step } from '../../shared/api/message.ts';
import { MAX_FILE_TEXT_CHARACTERS } from '../../shared/limits.ts';

const BYTES_A_TOKEN = 3.5;
/** What a format puts around each message. */
const TOKENS_A_TEXT = 4;

/** About how many tokens a text is. */
export const reckonTokens = (text: string): number =>
  text === '' ? 0 : Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN) + TOKENS_A_TEXT;

/** About what a picture takes, whatever its size: models look at it in tiles, or make it smaller. */
export const PICTURE_TOKENS = 1_600;

/** Of the bytes of a PDF or DOCX, most are fonts, pictures and layout. */
const BYTES_A_CHARACTER_OF_DOCUMENTS = 10;

/** About how many tokens a file of a message is. What the text of a document comes to, nobody knows before it is read. */
export function reckonFile({ kind, bytes }: Pick<Attachment, 'kind' | 'bytes'>): number {
  if (kind === 'image') return PICTURE_TOKENS;
  const characters = kind === 'text' ? bytes : bytes / BYTES_A_CHARACTER_OF_DOCUMENTS;
  return Math.ceil(Math.min(characters, MAX_FILE_TEXT_CHARACTERS) / BYTES_A_TOKEN) + TOKENS_A_TEXT;
}

/**
 * About how many tokens a message is, with its files, its tool calls and what they gave, each file and each of these at most
 * `mostOutput`.
 */
export const reckonMessage = (
  {
    content,
    attachments,
    steps,
  }: { content: string; attachments: readonly Attachment[] | null; steps: Step[] },
  mostOutput = Infinity,
): number =>
  steps.reduce((sum, { output, ...step }) => {
    const given = output === undefined ? 0 : reckonTokens(JSON.stringify(output));
    return sum + reckonTokens(JSON.stringify(step)) + Math.min(given, mostOutput);
  }, reckonTokens(content)) +
  (attachments ?? []).reduce((sum, file) => sum + Math.min(reckonFile(file), mostOutput), 0);
