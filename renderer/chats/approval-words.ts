/** What a person is asked before a tool may go on, in words. */
import type { Message, Step, StepApproval } from '../../shared/api/message.ts';
import { isUnfinished } from '../../shared/message-status.ts';
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

/** What the reply under way asks, in the order it was asked. */
export function openQuestions(messages: readonly Message[]): Question[] {
  const reply = messages.findLast(({ role }) => role === 'assistant');
  if (reply === undefined || !isUnfinished(reply.status)) return [];
  return (reply.steps ?? []).filter(isQuestion);
}

/** The call that is asked about: the step's own, or one of an agent that it asked. */
export const callOf = ({ tool, input, approval }: Question): { tool: string; input: unknown } =>
  approval.call ?? { tool, input };

/** Who asks: the tool, by name where its name says something. */
export function askerOf({ tool }: { tool: string }): string {
  const title = askingTitle(tool);
  return title === null ? words.approval.someTool : words.approval.tool(title);
}

/** What is wanted, in a sentence or a line; empty when the tool's name is all there is to say. */
export const wishOf = (question: Question): string =>
  visible(question.approval.summary ?? inputSummary(callOf(question).input));

/** One value that a tool was given. */
export interface InputPart {
  /** The field's name; null: the input is no record of fields. */
  name: string | null;
  text: string;
}

/** The whole input, a field at a time: texts as they are, anything else as JSON. */
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

/** A long value is shown up to this many characters and lines; the middle is left out, since both ends can hold what counts. */
const SHOWN_CHARACTERS = { head: 700, tail: 300 };
const SHOWN_LINES = { head: 12, tail: 4 };

/** A long text without its middle. */
export interface CutText {
  head: string;
  tail: string;
  /** How many characters were left out. */
  left: number;
}

/** The two ends of a long text; null: it is short enough to be shown whole. */
export function cutMiddle(text: string): CutText | null {
  const lines = text.split('\n');
  const isHigh = lines.length > 1.5 * (SHOWN_LINES.head + SHOWN_LINES.tail);
  const isLong = text.length > 1.5 * (SHOWN_CHARACTERS.head + SHOWN_CHARACTERS.tail);
  if (!isHigh && !isLong) return null;
  const first = isHigh ? lines.slice(0, SHOWN_LINES.head).join('\n') : text;
  const last = isHigh ? lines.slice(-SHOWN_LINES.tail).join('\n') : text;
  const head = first.slice(0, SHOWN_CHARACTERS.head).replace(/[\uD800-\uDBFF]$/, '');
  const tail = last.slice(-SHOWN_CHARACTERS.tail).replace(/^[\uDC00-\uDFFF]/, '');
  return { head, tail, left: text.length - head.length - tail.length };
}

/** Characters that can't be seen but change how others are: they could make a harmless name of another one. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const PLAIN: ReadonlySet<string> = new Set(['\n', '\t']);

/** A text in which nothing hides: what can't be seen is written as `[U+202E]`. */
export const visible = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(HIDDEN, (character) => {
    // Emoji are joined by one of them, and several scripts need two.
    if (PLAIN.has(character) || /[\u200c\u200d]/.test(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });

const A_MINUTE_MS = 60_000;

/** Until when there is time to answer, in words; null: it is over. */
export function timeLeft(expiresAt: string, now: Date): string | null {
  const leftMs = Date.parse(expiresAt) - now.getTime();
  if (leftMs <= 0) return null;
  const minutes = Math.round(leftMs / A_MINUTE_MS);
  if (minutes < 1) return words.approval.leftSeconds;
  return minutes < 60
    ? words.approval.leftMinutes(minutes)
    : words.approval.leftHours(Math.round(minutes / 60));
}
