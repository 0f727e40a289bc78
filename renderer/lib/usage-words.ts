import type { Usage } from '../../shared/api/message.ts';
import { words } from './words/index.ts';

/** Tokens in and out in words, as far as they are known; empty: neither is, as with the built-in assistant. */
export function describeUsage(usage: Usage | undefined): string {
  const { inputTokens, outputTokens } = usage ?? {};
  if (inputTokens !== undefined && outputTokens !== undefined) {
    return words.message.usage(inputTokens.toLocaleString(), outputTokens.toLocaleString());
  }
  if (inputTokens !== undefined) return words.message.usageIn(inputTokens.toLocaleString());
  return outputTokens === undefined ? '' : words.message.usageOut(outputTokens.toLocaleString());
}
