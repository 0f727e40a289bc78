/**
 * Reckoning tokens without a tokenizer, which would hold 45 MB: before a turn, and where a model tells nothing.
 */
import type { Attachment } from '../../shared/api/attachment.ts';
import type { Step } from '../../shared/api/message.ts';
import { BYTES_A_TOKEN, reckonFile } from '../../shared/reckon-tokens.ts';

/** What a format puts around each message. */
const TOKENS_A_TEXT = 4;

/** About how many tokens a text is. */
export const reckonTokens = (text: string): number =>
  text === '' ? 0 : Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN) + TOKENS_A_TEXT;

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
  (attachments ?? []).reduce((sum, file) => sum + Math.min(reckonFile(file) + TOKENS_A_TEXT, mostOutput), 0);
