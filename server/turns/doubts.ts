import type { Step } from '../../shared/api/message.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { StoredToolCall } from '../store/tool-call-repository.ts';
import { ASK_AGENT } from '../tools/tool-budget.ts';
import { DOUBT_WORDS } from '../tools/tool.ts';

/**
 * The steps of a reply that is over, with those marked of whose calls nobody knows whether they took effect. A call that is
 * no step of the reply was one of an agent that was asked.
 */
export function withDoubts(
  steps: readonly Step[],
  doubts: readonly Pick<StoredToolCall, 'tool' | 'input'>[],
): Step[] {
  const left = doubts.map(({ tool, input }) => `${tool} ${input}`);
  const marked = [...steps];
  const takes = (step: Step): boolean => {
    const at = left.indexOf(`${step.tool} ${canonicalJson(step.input ?? null)}`);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  };
  marked.filter(({ inDoubt }) => inDoubt === true).forEach(takes);
  // The latest of several that are the same is the one that was cut off.
  for (let at = marked.length - 1; at >= 0; at -= 1) {
    const step = marked[at];
    if (step?.status === 'failed' && step.inDoubt !== true && takes(step)) marked[at] = inDoubt(step);
  }
  const asked =
    left.length === 0
      ? -1
      : marked.findLastIndex(({ tool, status }) => tool === ASK_AGENT && status === 'failed');
  return asked === -1 ? marked : marked.map((step, at) => (at === asked ? inDoubt(step) : step));
}

const inDoubt = (step: Step): Step => ({
  ...step,
  error: [step.error, DOUBT_WORDS].join(' ').trim(),
  inDoubt: true,
});
