/** Reduces a reply to what can be stored, exported and imported, whatever a model or its server sent. */
import type { Step, Usage } from '../../shared/api/message.ts';
import { isDeeper } from '../lib/is-deeper.ts';

/**
 * How many levels deep the input and the output of a tool call may be nested; this protects all code that walks through
 * them later.
 */
export const MAX_STEP_DEPTH = 500;

/** The value with `…` for anything nested deeper than `levels`; the same object when nothing is. */
export function boundDepth(value: unknown, levels = MAX_STEP_DEPTH): unknown {
  return isDeeper(value, levels) ? cutDepth(value, levels) : value;
}

/** The step with its input and output nested no deeper than can be stored. */
export function storableStep(step: Step): Step {
  const input = boundDepth(step.input);
  const output = boundDepth(step.output);
  if (input === step.input && output === step.output) return step;
  return { ...step, input, ...('output' in step && { output }) };
}

/** Usage in whole tokens; anything that isn't a number of tokens is left out. */
export const storableUsage = (usage: Usage): Usage =>
  Object.fromEntries(
    Object.entries(usage).flatMap(([name, value]): [string, unknown][] => {
      if (typeof value !== 'number') return [[name, value]];
      const whole = Math.round(value);
      return Number.isSafeInteger(whole) && whole >= 0 ? [[name, whole]] : [];
    }),
  );

function cutDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((each) => cutDepth(each, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutDepth(each, levels - 1)]));
}
