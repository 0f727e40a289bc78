/**
 * Reckoning tokens without a tokenizer, which would hold 45 MB: before a turn, and where a model tells nothing. Three and a half
 * bytes a token is near for English and most code, and for other scripts rather too many tokens than too few.
 */
import type { Step } from '../../shared/api/message.ts';

const BYTES_A_TOKEN = 3.5;
/** What a format puts around each message. */
const TOKENS_A_TEXT = 4;

/** About how many tokens a text is. */
export const reckonTokens = (text: string): number =>
  text === '' ? 0 : Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN) + TOKENS_A_TEXT;

/** About how many tokens a message is, with its tool calls and what they gave, each of these at most `mostOutput`. */
export const reckonMessage = (
  { content, steps }: { content: string; steps: Step[] },
  mostOutput = Infinity,
): number =>
  steps.reduce((sum, { output, ...step }) => {
    const given = output === undefined ? 0 : reckonTokens(JSON.stringify(output));
    return sum + reckonTokens(JSON.stringify(step)) + Math.min(given, mostOutput);
  }, reckonTokens(content));
