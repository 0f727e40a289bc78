/**
 * Estimates tokens where a model tells none. Every model cuts text in its own way; one common encoding is near enough to
 * say how full a context is. It is loaded when first needed, and only in an agents' thread: it holds some 45 MB.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { Usage } from '../../../shared/api/message.ts';
import type { StreamEnd } from './follow-stream.ts';

/** The tokenizer takes time that grows with the square of a run of letters, so it never gets a long one. */
const SLICE_CHARACTERS = 200;
/** So much is counted in one go; in between the thread shows that it is alive. */
const CHARACTERS_AT_ONCE = 50_000;
/** What a format puts around each message. */
const TOKENS_A_TEXT = 4;
/** A word that looks like a mark of the format is counted as the text it is. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** About how many tokens those texts are, each as a message of its own; a few per cent more rather than fewer. */
export async function countTokens(texts: readonly string[]): Promise<number> {
  const encoding = await import('gpt-tokenizer/encoding/cl100k_base');
  let tokens = 0;
  let counted = 0;
  for (const text of texts) {
    tokens += TOKENS_A_TEXT;
    for (let start = 0; start < text.length; start += SLICE_CHARACTERS) {
      const slice = text.slice(start, start + SLICE_CHARACTERS);
      tokens += encoding.countTokens(slice, AS_TEXT);
      counted += slice.length;
      if (counted < CHARACTERS_AT_ONCE) continue;
      counted = 0;
      await breathe();
    }
  }
  return tokens;
}

/**
 * How full the model's context is by an estimate, when the model hasn't told it: over what it was really asked last, and its
 * reply. Empty when that can't be said. Never rejects.
 */
export async function estimateContext(
  { usage, readTokens }: Pick<StreamEnd, 'usage' | 'readTokens'>,
  sent: LanguageModelV4CallOptions | null,
  reply: string,
  onFault: (where: string, error: unknown) => void,
): Promise<Pick<Usage, 'contextTokens' | 'contextEstimated'>> {
  if (usage.contextTokens !== undefined || sent === null) return {};
  try {
    const read = readTokens ?? (await countTokens(textsOf(sent)));
    return { contextTokens: read + (await countTokens([reply])), contextEstimated: true };
  } catch (error) {
    onFault('counting tokens', error);
    return {};
  }
}

const textsOf = ({ prompt, tools = [] }: LanguageModelV4CallOptions): string[] => [
  ...prompt.map(textOf),
  ...tools.map((tool) => JSON.stringify(tool)),
];

const textOf = ({ content }: LanguageModelV4Message): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n');
