import type { MessageError, Step } from '../../shared/api/message.ts';
import type { TurnResult } from '../agents/turn.ts';
import type { FinalReply } from '../store/message-repository.ts';

/** Steps of a turn that is over: those that were still running are failed, because nothing runs any more. */
export function endedSteps(steps: Step[], why: string): Step[] {
  if (!steps.some((step) => step.status === 'running')) return steps;
  return steps.map((step) => (step.status === 'running' ? { ...step, status: 'failed', error: why } : step));
}

/** A reply that was stopped: it keeps what had been written. */
export const stoppedReply = ({ content, steps }: { content: string; steps: Step[] }): FinalReply => ({
  content,
  steps: endedSteps(steps, 'This was stopped.'),
  status: 'complete',
  error: null,
  usage: null,
  stopReason: 'stopped',
});

/** A reply that could not be made: it keeps what had been written, and says why there is no more. */
export const failedReply = (
  { content, steps }: { content: string; steps: Step[] },
  error: MessageError,
): FinalReply => ({
  content,
  steps: endedSteps(steps, error.message),
  status: 'error',
  error,
  usage: null,
  stopReason: null,
});

/** What to store for what a runtime returned. */
export function finalReply(result: TurnResult): FinalReply {
  if (result.outcome === 'failed') return failedReply(result, result.error);
  return {
    content: result.content,
    steps: endedSteps(result.steps, 'This came to no end.'),
    status: 'complete',
    error: null,
    usage: result.usage,
    stopReason: result.stopReason,
  };
}
