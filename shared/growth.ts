/**
 * A reply while it is written. The agent's thread, the row, the event streams and the window all pass its growth on
 * with these types and functions.
 */
import type { Step, Timing } from './api/message.ts';

/** What a provider adds to a part of an answer for itself, such as a signature: it wants it back with the part. */
export type Signed = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * One round of a model's work in a reply with tools: what belongs together in later requests to the model, as far as text
 * and steps don't say it. Never sent to clients.
 */
export interface Round {
  /** Where its text begins in the reply's, in UTF-16 code units. */
  textFrom: number;
  /** How many steps there were before its own. */
  stepsFrom: number;
  /** What it thought, block by block. `textAt`: how much of the reply's text stood before it; absent: none of its round's. */
  thoughts: { text: string; textAt?: number; signed?: Signed }[];
  /** Its calls in order. `input`: the arguments as the model wrote them; absent: the step's input as JSON. */
  calls: { input?: string; signed?: Signed }[];
}

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
  /** Why the model hasn't answered yet, in words; empty or absent: no reason, or it has. */
  waiting?: string;
  /** All rounds so far, if there are steps; a new array whenever one changes. */
  rounds?: Round[];
  /** The content is a refusal, which the server sent apart from text. Only in direct requests. */
  isRefusal?: true;
}

/** What was added since. */
export interface GrowthUpdate {
  /** Text to append; often empty. */
  text: string;
  /** How much of the content stays, in UTF-16 code units: what followed turned out to be reasoning. Absent: all. */
  keeps?: number;
  /** Reasoning to append; absent: none. */
  reasoning?: string;
  /** All steps, if any has changed; otherwise absent. */
  steps?: Step[];
  /** All measurements, if any has changed; otherwise absent. */
  timing?: Timing;
  /** As in {@link Growth}, if it has changed; otherwise absent. Anything else that arrives ends the wait, too. */
  waiting?: string;
  /** All rounds, if any has changed; otherwise absent. */
  rounds?: Round[];
  isRefusal?: true;
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
  waiting?: string;
  /** The array itself, for comparison by identity. */
  rounds?: Round[];
  isRefusal?: true;
}

/** Nothing has been written yet. */
export const NO_GROWTH: Growth = { content: '', reasoning: '', steps: [] };

/** The growth with the update. */
export function applyUpdate(
  { content, reasoning, steps, waiting, ...before }: Growth,
  { text, keeps, reasoning: thought = '', steps: newSteps, waiting: newWaiting, ...changed }: GrowthUpdate,
): Growth {
  const hasMore = text !== '' || thought !== '' || newSteps !== undefined;
  const waits = newWaiting ?? (hasMore && waiting !== undefined ? '' : waiting);
  const allSteps = newSteps ?? steps;
  return {
    ...before,
    ...changed,
    content: content.slice(0, keeps) + text,
    reasoning: reasoning + thought,
    // Another array means that all of the reply is passed on again.
    steps: keeps === undefined ? allSteps : [...allSteps],
    ...(waits !== undefined && { waiting: waits }),
  };
}

/** The mark for everything so far. */
export const markOf = ({ content, reasoning, ...rest }: Growth): GrowthMark => ({
  ...rest,
  content: content.length,
  reasoning: reasoning.length,
});

/** What was added since the mark, which must be of the same reply. */
export function updateSince(
  mark: GrowthMark,
  { content, reasoning, steps, timing, waiting, rounds, isRefusal }: Growth,
): GrowthUpdate {
  const thought = reasoning.slice(mark.reasoning);
  return {
    text: content.slice(mark.content),
    ...(thought !== '' && { reasoning: thought }),
    ...(steps !== mark.steps && { steps }),
    ...(timing && timing !== mark.timing && { timing }),
    ...(waiting !== undefined && waiting !== mark.waiting && { waiting }),
    ...(rounds && rounds !== mark.rounds && { rounds }),
    ...(isRefusal && !mark.isRefusal && { isRefusal }),
  };
}
