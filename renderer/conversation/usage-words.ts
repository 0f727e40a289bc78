import type { Usage } from '../../shared/api/message.ts';
import { words } from '../lib/words/index.ts';

/**
 * Tokens in and out in words, as far as they are known, and which model answered where that isn't the one that was asked; empty:
 * nothing is known, as with the built-in assistant.
 */
export function describeUsage(usage: Usage | undefined): string {
  const tokens = describeTokens(usage);
  if (usage?.model === undefined) return tokens;
  const other = words.message.answeredBy(usage.model);
  return tokens === '' ? other : `${tokens} · ${other}`;
}

function describeTokens(usage: Usage | undefined): string {
  const { inputTokens, outputTokens } = usage ?? {};
  if (inputTokens !== undefined && outputTokens !== undefined) {
    return words.message.usage(inputTokens.toLocaleString(), outputTokens.toLocaleString());
  }
  if (inputTokens !== undefined) return words.message.usageIn(inputTokens.toLocaleString());
  return outputTokens === undefined ? '' : words.message.usageOut(outputTokens.toLocaleString());
}
