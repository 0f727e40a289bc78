import type { ChatContext } from '../../shared/api/context.ts';
import { words } from '../lib/words/index.ts';

/** A share as a whole percentage, e.g. `38%`; below one, `<1%`. */
export function describeShare(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? '<1%' : `${percent}%`;
}

/** How many tokens there are, and the limit; null: unknown. */
export function describeTokens({ tokens, limit, isEstimate }: ChatContext): string | null {
  if (tokens === null) return null;
  const amount = isEstimate ? words.context.about(tokens) : words.context.tokens(tokens);
  return limit === null ? amount : `${amount} ${words.context.of(limit.toLocaleString())}`;
}

/** The shares from which the meter warns, and says that the context is nearly full. */
export const WARN_AT = 0.7;
export const FULL_AT = 0.9;

/** How urgent a share is. */
export function urgencyOf(share: number | null): 'calm' | 'warning' | 'full' {
  if (share === null || share < WARN_AT) return 'calm';
  return share < FULL_AT ? 'warning' : 'full';
}
