/** The tools that wait for a person's answer, and for how long. */
import type { Message, Step, StepApproval } from '../../shared/api/message.ts';
import { isUnfinished } from '../../shared/choices.ts';
import { words } from '../lib/words/index.ts';

/** A step that waits for a person's answer. */
export interface PendingStep extends Step {
  approval: StepApproval;
}

/** Whether a step waits for a person's answer. */
export const isPendingStep = (step: Step): step is PendingStep =>
  step.status === 'awaiting_approval' && step.approval !== undefined;

/** The steps of the reply under way that wait for an answer, in the order they were asked. */
export function pendingSteps(messages: readonly Message[]): PendingStep[] {
  const reply = messages.findLast(({ role }) => role === 'assistant');
  if (reply === undefined || !isUnfinished(reply.status)) return [];
  return (reply.steps ?? []).filter(isPendingStep);
}

const A_MINUTE_MS = 60_000;

/** How long there is to answer, in words; null: the time is over. */
export function timeLeft(expiresAt: string, now: Date): string | null {
  const leftMs = Date.parse(expiresAt) - now.getTime();
  if (leftMs <= 0) return null;
  const minutes = Math.round(leftMs / A_MINUTE_MS);
  if (minutes < 1) return words.approval.leftSeconds;
  return minutes < 60
    ? words.approval.leftMinutes(minutes)
    : words.approval.leftHours(Math.round(minutes / 60));
}
