import type { MessageError, Step, Timing, Usage } from '../../shared/api/message.ts';
import { endedSteps } from './ended-steps.ts';
import type { TurnResult } from '../agents/turn.ts';
import type { FinalReply } from '../store/message-repository.ts';
import { storableUsage } from '../store/storable-reply.ts';

/** What a reply holds so far. */
export interface Written {
  content: string;
  steps: Step[];
  /** Null or absent: the model told none. */
  reasoning?: string | null;
  /** Null or absent: nothing was measured. */
  timing?: Timing | null;
}

/** A reply that was stopped: it keeps what had been written. */
export const stoppedReply = ({ content, steps, reasoning, timing = null }: Written): FinalReply => ({
  content,
  reasoning: reasoning || null,
  steps: endedSteps(steps, 'This was stopped.'),
  status: 'complete',
  error: null,
  usage: null,
  timing,
  stopReason: 'stopped',
});

/** A reply that could not be made: it keeps what had been written, and says why there is no more. */
export const failedReply = (
  { content, steps, reasoning, timing = null }: Written,
  error: MessageError,
  usage: Usage | null = null,
): FinalReply => ({
  content,
  reasoning: reasoning || null,
  steps: endedSteps(steps, error.message),
  status: 'error',
  error,
  usage: usage && storableUsage(usage),
  timing,
  stopReason: null,
});

/** What to store for what a runtime returned. */
export function finalReply(result: TurnResult): FinalReply {
  if (result.outcome === 'failed') return failedReply(result, result.error, result.usage);
  return {
    content: result.content,
    reasoning: result.reasoning || null,
    steps: endedSteps(result.steps, 'This came to no end.'),
    status: 'complete',
    error: null,
    usage: storableUsage(result.usage),
    timing: result.timing ?? null,
    stopReason: result.stopReason,
  };
}
