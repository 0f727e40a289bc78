/** What a person is asked before a tool may continue, in words. */
import type { Message, Step, StepApproval } from '../../shared/api/message.ts';
import { isUnfinished } from '../../shared/choices.ts';
import { askingTitle } from '../../shared/tool-title.ts';
import { inFull, inputSummary } from './step-words.ts';
import { words } from '../lib/words/index.ts';

/** A step that waits for a person's answer. */
export interface Question extends Step {
  approval: StepApproval;
}

/** Whether a step waits for a person's answer. */
export const isQuestion = (step: Step): step is Question =>
  step.status === 'awaiting_approval' && step.approval !== undefined;

/** The questions of the reply under way, in the order they were asked. */
export function openQuestions(messages: readonly Message[]): Question[] {
  const reply = messages.findLast(({ role }) => role === 'assistant');
  if (reply === undefined || !isUnfinished(reply.status)) return [];
  return (reply.steps ?? []).filter(isQuestion);
}

/** The call in question: the step's own, or one of an agent that it called. */
export const callOf = ({ tool, input, approval }: Question): { tool: string; input: unknown } =>
  approval.call ?? { tool, input };

/** Who asks: the tool, by its name if that says something. */
export function askerOf({ tool }: { tool: string }): string {
  const title = askingTitle(tool);
  return title === null ? words.approval.someTool : words.approval.tool(title);
}

/** What it wants, in a sentence or a line; empty when the tool's name says it all. */
export const wishOf = (question: Question): string =>
  visible(question.approval.summary ?? inputSummary(callOf(question).input));

/** One field of a tool's input. */
export interface InputPart {
  /** The field's name; null: the input isn't an object. */
  name: string | null;
  text: string;
}

/** The whole input, field by field: texts as they are, anything else as JSON. */
export function inputParts(input: unknown): InputPart[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const text = visible(inFull(input));
    return text === '' ? [] : [{ name: null, text }];
  }
  return Object.entries(input).map(([name, value]: [string, unknown]) => ({
    name: visible(name),
    text: visible(inFull(value)),
  }));
}

/** Invisible characters that change how others look: they could disguise a name as a harmless one. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const PLAIN: ReadonlySet<string> = new Set(['\n', '\t']);

/** A text with invisible characters made visible, written as `[U+202E]`. */
export const visible = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(HIDDEN, (character) => {
    // Some emoji are joined by one of them, and several scripts need two.
    if (PLAIN.has(character) || /[\u200c\u200d]/.test(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });

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
