/** Estimates tokens without a tokenizer, which would take 45 MB. */
import type { Attachment } from '../../shared/api/attachment.ts';
import type { Step } from '../../shared/api/message.ts';
import { BYTES_A_TOKEN, estimateFile } from '../../shared/estimate-tokens.ts';

/** Tokens that a format adds around each message. */
const TOKENS_A_TEXT = 4;

/** Estimated tokens of a text. */
export const estimateTokens = (text: string): number =>
  text === '' ? 0 : Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN) + TOKENS_A_TEXT;

/** Estimated tokens of a message with its calls, and with each file and each output up to `mostOutput`. */
export const estimateMessage = (
  {
    content,
    attachments,
    steps,
  }: { content: string; attachments: readonly Attachment[] | null; steps: Step[] },
  mostOutput = Infinity,
): number =>
  steps.reduce((sum, { output, ...step }) => {
    const given = output === undefined ? 0 : estimateTokens(JSON.stringify(output));
    return sum + estimateTokens(JSON.stringify(step)) + Math.min(given, mostOutput);
  }, estimateTokens(content)) +
  (attachments ?? []).reduce(
    (sum, file) => sum + Math.min(estimateFile(file) + TOKENS_A_TEXT, mostOutput),
    0,
  );
