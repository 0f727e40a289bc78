import type { Branch, Exchange } from './branch.ts';
import { KEPT_EXCHANGES, KEPT_SHARE, TOO_FULL_AT, WORTH_SUMMARISING_SHARE } from './limits.ts';
import { reckonExchanges } from './measure.ts';

/**
 * Why it is summarised. `by_hand`: a person wants it. `nearly_full`: after a reply. `no_room`: the next message would not fit.
 * `refused`: the model said that it is too long.
 */
export type SummaryReason = 'by_hand' | 'nearly_full' | 'no_room' | 'refused';

/** What the plan goes by. */
export interface PlanRequest {
  reason: SummaryReason;
  /** Tokens the model reads. */
  limit: number;
  /** Tokens of the message that waits for an answer; 0: none does. */
  waiting: number;
}

/** The oldest exchanges, which are to be summarised; the others are kept. Empty: there is nothing to summarise. */
export function planSummary(
  { exchanges }: Pick<Branch, 'exchanges'>,
  { reason, limit, waiting }: PlanRequest,
): Exchange[] {
  const sizes = reckonExchanges(exchanges, limit);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const half = total / 2;
  const share = limit * KEPT_SHARE;
  // By hand also a short conversation is summarised; and a limit that was refused can't be right.
  const room = reason === 'by_hand' ? Math.min(share, half) : reason === 'refused' ? half / 2 : share;
  const most = reason === 'refused' ? half : limit * TOO_FULL_AT;
  let kept = 0;
  let size = waiting;
  for (const next of sizes.toReversed()) {
    const isWanted = size - waiting + next <= room || (kept < KEPT_EXCHANGES && size + next <= most);
    const isLeast = reason === 'by_hand' && kept < KEPT_EXCHANGES;
    if (!isWanted && !isLeast) break;
    size += next;
    kept += 1;
  }
  const summarised = exchanges.slice(0, exchanges.length - kept);
  const olderTokens = total - (size - waiting);
  return reason === 'nearly_full' && olderTokens < limit * WORTH_SUMMARISING_SHARE ? [] : summarised;
}
