/**
 * A reply while it is written. The agent's thread, the row, the event streams and the window all pass on what has come with
 * these types and functions.
 */
import type { Step } from './api/message.ts';

/** What has been written of a reply. */
export interface Growth {
  /** All text so far. */
  content: string;
  /** All reasoning so far; empty: the model tells none. */
  reasoning: string;
  /** All tool calls so far; another array whenever one has changed. */
  steps: Step[];
}

/** What has come since. */
export interface GrowthUpdate {
  /** Text to append; often empty. */
  text: string;
  /** Reasoning to append; absent: none. */
  reasoning?: string;
  /** All steps, when any has changed; absent otherwise. */
  steps?: Step[];
}

/** How much of a growth has been passed on. */
export interface GrowthMark {
  /** In UTF-16 code units. */
  content: number;
  /** In UTF-16 code units. */
  reasoning: number;
  /** The very array. */
  steps: Step[];
}

/** Nothing has been written yet. */
export const NO_GROWTH: Growth = { content: '', reasoning: '', steps: [] };

/** The growth with the update. */
export const applyUpdate = (
  { content, reasoning, steps }: Growth,
  { text, reasoning: thought = '', steps: newSteps = steps }: GrowthUpdate,
): Growth => ({ content: content + text, reasoning: reasoning + thought, steps: newSteps });

/** The mark of all that there is. */
export const markOf = ({ content, reasoning, steps }: Growth): GrowthMark => ({
  content: content.length,
  reasoning: reasoning.length,
  steps,
});

/** What has come since the mark, which must be one of the same reply. */
export function updateSince(mark: GrowthMark, { content, reasoning, steps }: Growth): GrowthUpdate {
  const thought = reasoning.slice(mark.reasoning);
  return {
    text: content.slice(mark.content),
    ...(thought !== '' && { reasoning: thought }),
    ...(steps !== mark.steps && { steps }),
  };
}
