/**
 * A reply while it is written. The agent's thread, the row, the event streams and the window all pass on what has come with
 * these types and functions.
 */
import type { Step, Timing } from './api/message.ts';

/** What has been written of a reply. */
export interface Growth {
  /** All text so far. */
  content: string;
  /** All reasoning so far; empty: the model tells none. */
  reasoning: string;
  /** All tool calls so far; another array whenever one has changed. */
  steps: Step[];
  /** What has been measured so far; another object whenever that has changed, absent: nothing. */
  timing?: Timing;
}

/** What has come since. */
export interface GrowthUpdate {
  /** Text to append; often empty. */
  text: string;
  /** Reasoning to append; absent: none. */
  reasoning?: string;
  /** All steps, when any has changed; absent otherwise. */
  steps?: Step[];
  /** All that has been measured, when any of it has changed; absent otherwise. */
  timing?: Timing;
}

/** How much of a growth has been passed on. */
export interface GrowthMark {
  /** In UTF-16 code units. */
  content: number;
  /** In UTF-16 code units. */
  reasoning: number;
  /** The very array. */
  steps: Step[];
  /** The very object. */
  timing?: Timing;
}

/** Nothing has been written yet. */
export const NO_GROWTH: Growth = { content: '', reasoning: '', steps: [] };

/** The growth with the update. */
export const applyUpdate = (
  { content, reasoning, steps, timing }: Growth,
  { text, reasoning: thought = '', steps: newSteps = steps, timing: newTiming = timing }: GrowthUpdate,
): Growth => ({
  content: content + text,
  reasoning: reasoning + thought,
  steps: newSteps,
  ...(newTiming && { timing: newTiming }),
});

/** The mark of all that there is. */
export const markOf = ({ content, reasoning, steps, timing }: Growth): GrowthMark => ({
  content: content.length,
  reasoning: reasoning.length,
  steps,
  ...(timing && { timing }),
});

/** What has come since the mark, which must be one of the same reply. */
export function updateSince(mark: GrowthMark, { content, reasoning, steps, timing }: Growth): GrowthUpdate {
  const thought = reasoning.slice(mark.reasoning);
  return {
    text: content.slice(mark.content),
    ...(thought !== '' && { reasoning: thought }),
    ...(steps !== mark.steps && { steps }),
    ...(timing && timing !== mark.timing && { timing }),
  };
}
