import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Step } from '../../../shared/api/message.ts';
import { answerForm, tellOutput, tellResult } from './forms/answer-form.ts';
import { readForm } from './forms/read-form.ts';
import { forgetNote, rememberNote } from '../../tools/notes.ts';
import { makePlan, type PlanItem } from './dispatch.ts';
import { readConversation, type Conversation } from './reading/conversation.ts';
import { notesSkill } from './skills/notes/index.ts';
import { tellFailure, tellNeedsTool, tellNotUnderstood, tellPartsNotUnderstood } from './wording/refusals.ts';
import { withBlocks } from './reading/attached.ts';
import { talkOfFiles, tellUnread } from './talk/files.ts';

/** What the assistant does next: call tools, all at once, or say something. */
export type Move =
  | { type: 'calls'; calls: { tool: string; input: Record<string, unknown> }[] }
  | {
      type: 'text';
      text: string;
      /** Nothing could be done: nothing was understood, or what was needs tools that are not offered. */
      isUnanswered?: true;
    };

/** The offline assistant's thinking, apart from the form of a language model. */
export interface Assistant {
  /** The next move in a conversation. With no tool results after the last user message it may call `tools`; with some it tells them. */
  next(prompt: LanguageModelV4Prompt, tools: LanguageModelV4CallOptions['tools']): Move;
}

type CallItem = PlanItem & { kind: 'call' };

/** Tools whose effect later calls of the same message must see. */
const WRITES: readonly string[] = [rememberNote.name, forgetNote.name];

/** Creates it for a turn. It keeps the plan it made for a message until that message's results come back. */
export function createAssistant({ now, timeZone }: { now: Date; timeZone: string }): Assistant {
  let planned: { message: string; at: number; plan: PlanItem[] } | null = null;

  const planFor = (conversation: Conversation, tools: ReadonlySet<string>): PlanItem[] => {
    const { message, messageIndex: at } = conversation;
    if (planned?.message === message && planned.at === at) return planned.plan;
    const plan = perFile(conversation).flatMap(({ name, ...about }) =>
      makePlan(about, { tools, now, timeZone }).map((item) =>
        name === null ? item : { ...item, part: { ...item.part, number: name } },
      ),
    );
    planned = { message, at, plan };
    return plan;
  };

  return {
    next(prompt, offers) {
      const conversation = readConversation(prompt);
      if (!conversation || (conversation.message.trim() === '' && conversation.files.length === 0)) {
        return { type: 'text', text: 'There is no message to answer.' };
      }
      const { calls: steps, message } = conversation;
      const form = readForm(message);
      if (form !== null) {
        const [step] = steps;
        if (step !== undefined) {
          const request = { text: '', material: null, message: '', history: [], now, timeZone };
          return { type: 'text', text: tellResult(step, request) };
        }
        const answer = answerForm(form, offers);
        return 'text' in answer
          ? { type: 'text', text: answer.text }
          : { type: 'calls', calls: [answer.call] };
      }
      const unread = tellUnread(conversation.files);
      const talk =
        conversation.files.length === 0 ? null : talkOfFiles(conversation.words, conversation.files);
      if (talk !== null && steps.length === 0)
        return { type: 'text', text: unread === '' ? talk : `${talk}\n\n${unread}` };
      const tools = new Set(offers?.map(({ name }) => name));
      // The last round may be made without tools; the plan is still the one that called them.
      const offered = steps.length > 0 ? new Set([...tools, ...steps.map((step) => step.tool)]) : tools;
      const plan = planFor(conversation, offered);
      const calls = distinctCalls(plan);
      const round = nextRound(calls, steps).filter(({ wish }) => tools.has(wish.tool));
      if (round.length > 0) {
        return { type: 'calls', calls: round.map(({ wish: { tool, input } }) => ({ tool, input })) };
      }
      const done = plan.map((item) =>
        isFruitless(item, calls, steps) ? { ...item, kind: 'unknown' as const } : item,
      );
      const isLost = done.every(({ kind }) => kind === 'unknown' || kind === 'needs-tool');
      // Of a picture nothing can be understood, and why not is all there is to say.
      const isMute = unread !== '' && done.every(({ kind }) => kind === 'unknown');
      const told = isMute ? '' : tellPlan(done, calls, conversation, offered.size > 0);
      return {
        type: 'text',
        text: [told, unread].filter((text) => text !== '').join('\n\n'),
        ...(steps.length === calls.length && isLost && { isUnanswered: true }),
      };
    },
  };
}

/** A question about several files is asked of each, and each answer starts with the file's name. */
function perFile(conversation: Conversation): (Conversation & { name: string | null })[] {
  const readable = conversation.files.filter(({ text }) => text !== null);
  if (readable.length < 2) return [{ ...conversation, name: null }];
  return readable.map((file) => ({
    ...conversation,
    message: withBlocks(conversation.words, [file]),
    name: file.name,
  }));
}

/**
 * The calls to make now: all that are left, at once; but what may read a note waits for the round after the calls that
 * change notes. None once there is a result to each, or when other calls than the plan's were made.
 */
function nextRound(calls: CallItem[], steps: Step[]): CallItem[] {
  if (!steps.every((step, index) => step.tool === calls[index]?.wish.tool)) return [];
  const left = calls.slice(steps.length);
  const write = left.findIndex(({ wish }) => WRITES.includes(wish.tool));
  const end = write < 0 ? -1 : left.findIndex(({ skill }, index) => index > write && skill === notesSkill);
  return end < 0 ? left : left.slice(0, end);
}

const keyOf = ({ wish }: CallItem): string => `${wish.tool} ${JSON.stringify(wish.input)}`;

/** The calls of a plan, the same one only once. */
const distinctCalls = (plan: PlanItem[]): CallItem[] => [
  ...new Map(plan.flatMap((item) => (item.kind === 'call' ? [[keyOf(item), item] as const] : []))).values(),
];

const stepOf = (item: CallItem, calls: CallItem[], steps: Step[]): Step | undefined =>
  steps[calls.findIndex((call) => keyOf(call) === keyOf(item))];

/** Whether the notes were looked through for what nothing else knows, and hold nothing of it. */
function isFruitless(item: PlanItem, calls: CallItem[], steps: Step[]): boolean {
  if (item.kind !== 'call' || item.wish.isLastResort !== true) return false;
  const step = stepOf(item, calls, steps);
  const { skill, wish, request } = item;
  return step?.status === 'done' && skill.tells(wish.tool, wish.input, step.output, request) === '';
}

function tellPlan(
  plan: PlanItem[],
  calls: CallItem[],
  conversation: Conversation,
  hasTools: boolean,
): string {
  const { message, calls: steps } = conversation;
  const isOurs = steps.every((step, index) => step.tool === calls[index]?.wish.tool);
  // Calls that no plan of ours made are shown as they are.
  if (steps.length > 0 && !isOurs)
    return steps
      .map(({ status, output, error = '' }) =>
        status === 'done' ? tellOutput(output) : tellFailure(error, null),
      )
      .join('\n\n');

  const several = plan.filter((item) => item.kind !== 'unknown').length > 1;
  const numbered = plan.filter((item) => item.part.number !== null).length > 1;
  const told: string[] = [];
  const say = (item: PlanItem, text: string) => {
    if (text === '' || told.includes(text)) return;
    told.push(numbered && item.part.number !== null ? withNumber(item.part.number, text) : text);
  };
  for (const item of plan) {
    if (item.kind === 'say') say(item, item.text);
    else if (item.kind === 'call') {
      const step = stepOf(item, calls, steps);
      if (step && !(item.feeds && step.status === 'done')) say(item, tellStep(item, step, several));
    }
  }
  const needs = plan.flatMap((item) => (item.kind === 'needs-tool' ? [item.skill.needs] : []));
  if (needs.length > 0) told.push(tellNeedsTool(needs, hasTools));
  const unknown = plan.flatMap((item) => (item.kind === 'unknown' ? [item.part.text] : []));
  if (told.length === 0) return tellNotUnderstood(message, conversation.history().at(-1)?.answer ?? '');
  if (unknown.length > 0) told.push(tellPartsNotUnderstood(unknown));
  return told.join('\n\n');
}

function tellStep({ skill, wish, request, part }: CallItem, step: Step, several: boolean): string {
  if (step.status !== 'done') return tellFailure(step.error ?? '', several ? part.text : null);
  return skill.tells(wish.tool, wish.input, step.output, request).trim() || tellOutput(step.output);
}

/** A block that starts with Markdown structure keeps its number on a line of its own. */
function withNumber(number: string, text: string): string {
  const label = /^(?:\d{1,2}|[a-h])$/i.test(number) ? `${number}.` : `${number}:`;
  return `**${label}**${/^(?:[|`~#>\-*+]|\d+[.)] )/.test(text) && !text.startsWith('**') ? '\n\n' : ' '}${text}`;
}
