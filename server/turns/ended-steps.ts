import type { Step } from '../../shared/api/message.ts';

const isOpen = ({ status }: Step): boolean => status === 'running' || status === 'awaiting_approval';

/** Steps of a turn that is over: those that were still running or waiting are failed, because nothing runs any more. */
export function endedSteps(steps: Step[], why: string): Step[] {
  if (!steps.some(isOpen)) return steps;
  return steps.map((step) => {
    if (!isOpen(step)) return step;
    const ended: Step = { ...step, status: 'failed', error: why };
    delete ended.approval;
    return ended;
  });
}
