/**
 * A reply while it is written. The agent's thread, the row, the event streams and the window all pass its growth on
 * with these types and functions.
 */
import type { Step, Timing } from './api/message.ts';

/** What has been written of a reply. */
export interface Growth {
  /** All text so far. */
  content: string;
  /** All reasoning so far; empty: none. */
  reasoning: string;
  /** All tool calls so far; a new array whenever one changes. */
  steps: Step[];
  /** Measurements so far; a new object whenever they change; absent: none. */
  timing?: Timing;
}

/** What was added since. */
export interface GrowthUpdate {
  /** Text to append; often empty. */
  text: string;
  /** Reasoning to append; absent: none. */
  reasoning?: string;
  /** All steps, if any has changed; otherwise absent. */
  steps?: Step[];
  /** All measurements, if any has changed; otherwise absent. */
  timing?: Timing;
}

/** How much of a reply has been passed on. */
export interface GrowthMark {
  /** In UTF-16 code units. */
  content: number;
  /** In UTF-16 code units. */
  reasoning: number;
  /** The array itself, for comparison by identity. */
  steps: Step[];
  /** The object itself, for comparison by identity. */
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

/** The mark for everything so far. */
export const markOf = ({ content, reasoning, steps, timing }: Growth): GrowthMark => ({
  content: content.length,
  reasoning: reasoning.length,
  steps,
  ...(timing && { timing }),
});

/** What was added since the mark, which must be of the same reply. */
export function updateSince(mark: GrowthMark, { content, reasoning, steps, timing }: Growth): GrowthUpdate {
  const thought = reasoning.slice(mark.reasoning);
  return {
    text: content.slice(mark.content),
    ...(thought !== '' && { reasoning: thought }),
    ...(steps !== mark.steps && { steps }),
    ...(timing && timing !== mark.timing && { timing }),
  };
}
