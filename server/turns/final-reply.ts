import type { MessageError, Step, Timing, Usage } from '../../shared/api/message.ts';
import type { Round } from '../../shared/growth.ts';
import type { TurnResult } from '../agents/turn.ts';
import type { FinalReply } from '../store/message-repository.ts';
import { storableUsage } from '../store/storable-reply.ts';
import type { StoredToolCall } from '../store/tool-call-repository.ts';
import { ASK_AGENT } from '../tools/tool-budget.ts';
import { DOUBT_WORDS } from '../tools/tool.ts';
import { canonicalJson } from '../lib/canonical-json.ts';

/** What a reply holds so far. */
export interface ReplySoFar {
  content: string;
  steps: Step[];
  /** Null, absent or empty: the model sent none. */
  reasoning?: string | null;
  /** Null or absent: nothing was measured. */
  timing?: Timing | null;
  /** Null or absent: none are known. */
  rounds?: Round[] | null;
}

/** A stopped reply. It keeps what was written. */
export const stoppedReply = (written: ReplySoFar): FinalReply =>
  finalOf(written, 'This was stopped.', {
    status: 'complete',
    error: null,
    usage: null,
    stopReason: 'stopped',
  });

/** A failed reply. It keeps what was written, and says why there is no more. */
export const failedReply = (
  written: ReplySoFar,
  error: MessageError,
  usage: Usage | null = null,
): FinalReply =>
  finalOf(written, error.message, {
    status: 'error',
    error,
    usage: usage && storableUsage(usage),
    stopReason: null,
  });

/** What to store for a runtime's result. */
export function finalReply(result: TurnResult): FinalReply {
  if (result.outcome === 'failed') return failedReply(result, result.error, result.usage);
  const { usage, stopReason } = result;
  return finalOf(result, 'This came to no end.', {
    status: 'complete',
    error: null,
    usage: storableUsage(usage),
    stopReason,
  });
}

/** Why a turn that was cut off isn't started again: these calls may have changed or sent something; none: it was tried often enough. */
export function cutOffError(calls: readonly Pick<StoredToolCall, 'tool'>[]): MessageError {
  const tools = [...new Set(calls.map(({ tool }) => `“${tool}”`))].join(', ');
  const message =
    tools === ''
      ? 'Parley stopped three times while making this reply.'
      : `This reply was cut off after it had begun to use ${tools}. That may have taken effect, so it was not started again by itself: check first, then try again.`;
  return { code: 'interrupted', message };
}

const finalOf = (
  { content, reasoning, steps, timing = null, rounds = null }: ReplySoFar,
  why: string,
  rest: Pick<FinalReply, 'status' | 'error' | 'usage' | 'stopReason'>,
): FinalReply => ({
  content,
  reasoning: reasoning || null,
  steps: endedSteps(steps, why),
  timing,
  rounds,
  ...rest,
});

const isOpen = ({ status }: Step): boolean => status === 'running' || status === 'awaiting_approval';

/** Steps of a finished turn. Those still running or waiting are marked failed, since nothing runs any more. */
export function endedSteps(steps: Step[], why: string): Step[] {
  if (!steps.some(isOpen)) return steps;
  return steps.map((step) => {
    if (!isOpen(step)) return step;
    const failed: Step = { ...step, status: 'failed', error: why };
    delete failed.approval;
    return failed;
  });
}

/**
 * The steps of a finished reply. A step is marked as in doubt if its call was begun and nothing shows how it ended. A call without a step
 * was made by a helper agent: then the step that asked that agent is marked.
 */
export function withDoubts(
  steps: readonly Step[],
  calls: readonly Pick<StoredToolCall, 'tool' | 'input' | 'state'>[],
): Step[] {
  const left = calls.filter(({ state }) => state !== 'failed' && state !== 'sent');
  const takes = (step: Step): boolean => {
    const input = canonicalJson(step.input ?? null);
    const at = left.findIndex((call) => call.tool === step.tool && call.input === input);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  };
  const isFailed = (step: Step): boolean => step.status === 'failed' && step.inDoubt !== true;
  for (const step of steps) if (step.status === 'done' || step.inDoubt === true) takes(step);
  // Of several identical ones, the latest was cut off.
  const marked = steps
    .toReversed()
    .map((step) => (isFailed(step) && takes(step) ? inDoubt(step) : step))
    .reverse();
  const helperStep = marked.findLastIndex((step) => step.tool === ASK_AGENT && step.status === 'failed');
  const isHelperInDoubt = left.some(({ state }) => state !== 'done');
  return isHelperInDoubt ? marked.map((step, at) => (at === helperStep ? inDoubt(step) : step)) : marked;
}

const inDoubt = (step: Step): Step => ({
  ...step,
  error: [step.error, DOUBT_WORDS].join(' ').trim(),
  inDoubt: true,
});
