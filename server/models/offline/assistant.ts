import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Step } from '../../../shared/api/message.ts';
import { answerForm, formatOutput, formatResult } from './forms/answer-form.ts';
import { readForm } from './forms/read-form.ts';
import { forgetNote, rememberNote } from '../../tools/notes.ts';
import { makePlan, type PlanItem } from './dispatch.ts';
import { readConversation, type ReadPrompt } from './reading/conversation.ts';
import type { Move, Offered, Request } from './skill.ts';
import { nearSum } from './skills/maths/near-sum.ts';
import {
  besideAnswer,
  formatFailure,
  formatNeedsTool,
  formatNotUnderstood,
  formatPartsNotUnderstood,
} from './wording/refusals.ts';
import { present } from './wording/formatting.ts';
import { withBlocks } from './reading/attached.ts';
import { answerFiles, formatUnread } from './answer-files.ts';

/** The next move in a conversation. Without tool results after the last user message it may call tools; otherwise it answers with them. */
export type NextMove = (prompt: LanguageModelV4Prompt, offered: Offered) => Move;

type CallItem = PlanItem & { kind: 'call' };
const isCall = (item: PlanItem): item is CallItem => item.kind === 'call';

/** Tools whose effect later calls of the same message must see. */
const WRITES: readonly string[] = [rememberNote.name, forgetNote.name];

/** The offline assistant of a turn, without the interface of a language model. It keeps the plan it made for a message until that message's results come back. */
export function createAssistant({ now, timeZone }: { now: Date; timeZone: string }): NextMove {
  let planned: { message: string; plan: PlanItem[] } | null = null;

  return (prompt, offers) => {
    const conversation = readConversation(prompt);
    if (!conversation || (conversation.message.trim() === '' && conversation.files.length === 0))
      return say('There is no message to answer.');
    const { message, words, files, calls: steps } = conversation;
    const form = readForm(message);
    const [only] = steps;
    // A form is no request in words, nor is a call that no plan of ours made.
    const wordless: Request = { text: '', material: null, message: '', history: [], now, timeZone };
    if (form !== null && only !== undefined) return say(formatResult(only, wordless));
    if (form !== null) return answerForm(form, offers);
    const answer = steps.length === 0 ? answerFiles(words, files) : null;
    if (answer !== null) return say(answer, formatUnread(files));

    const tools = new Set(offers.map(({ name }) => name));
    // The last round may be made without tools; the plan is still the one that called them.
    const offered = new Set([...tools, ...steps.map(({ tool }) => tool)]);
    if (planned?.message !== message)
      planned = { message, plan: perFile(conversation, { tools: offered, now, timeZone }) };
    const calls = planned.plan.filter(isCall);
    const isOurs = steps.every(({ tool }, index) => tool === calls[index]?.toolRequest.tool);
    if (!isOurs) return say(...steps.map((step) => formatResult(step, wordless)));
    const round = nextRound(calls.slice(steps.length)).filter(({ toolRequest }) =>
      tools.has(toolRequest.tool),
    );
    if (round.length > 0) return { type: 'calls', calls: round.map(({ toolRequest }) => toolRequest) };
    return formatPlan(planned.plan, conversation, offered.size > 0);
  };
}

const say = (...texts: string[]): Move => ({ type: 'text', text: present(...texts).join('\n\n') });

/** A question about several files is asked of each, and each answer starts with the file's name. */
function perFile(conversation: ReadPrompt, means: Parameters<typeof makePlan>[1]): PlanItem[] {
  const readable = conversation.files.filter(({ text }) => text !== null);
  if (readable.length < 2) return makePlan(conversation, means);
  return readable.flatMap((file) =>
    makePlan({ ...conversation, message: withBlocks(conversation.words, [file]) }, means).map((item) => ({
      ...item,
      part: { ...item.part, number: file.name },
    })),
  );
}

/** The calls to make now: all that are left, except that calls after a change of notes wait for the next round. */
function nextRound(left: CallItem[]): CallItem[] {
  const isWrite = ({ toolRequest }: CallItem): boolean => WRITES.includes(toolRequest.tool);
  const write = left.findIndex(isWrite);
  const end = write < 0 ? -1 : left.findIndex((call, index) => index > write && !isWrite(call));
  return end < 0 ? left : left.slice(0, end);
}

/** The results of the requests in their order, then what would need a tool, and what was not understood. */
function formatPlan(plan: PlanItem[], conversation: ReadPrompt, hasTools: boolean): Move {
  const { message, files, calls: steps } = conversation;
  const calls = plan.filter(isCall);
  const several = plan.filter((item) => item.kind !== 'unknown').length > 1;
  const numbered = plan.filter((item) => item.part.number !== null).length > 1;
  const formatted: string[] = [];
  const needs: string[] = [];
  const unknown: string[] = [];
  for (const item of plan) {
    if (item.kind === 'needs-tool') {
      needs.push(item.skill.needs);
      continue;
    }
    const own = item.kind === 'say' ? item.text : null;
    const reply = own !== null && calls.length > 0 ? besideAnswer(own) : own;
    const text = isCall(item) ? formatCall(item, steps[calls.indexOf(item)], several) : reply;
    if (text === null) unknown.push(item.part.text);
    else if (text !== '' && !formatted.includes(text))
      formatted.push(numbered ? withNumber(item.part.number, text) : text);
  }
  const isUnanswered = formatted.length === 0;
  if (needs.length > 0) formatted.push(formatNeedsTool(needs, hasTools));
  if (unknown.length > 0 && formatted.length > 0) formatted.push(formatPartsNotUnderstood(unknown));
  // For a picture alone, the reason why it can’t be read is the whole answer.
  const unread = formatUnread(files);
  if (formatted.length === 0 && unread === '') formatted.push(formatNotUnderstood(message, nearSum(message)));
  return { ...say(...formatted, unread), ...(isUnanswered && { isUnanswered }) };
}

/** Empty: the next request’s answer covers it; null: no note answers it. */
function formatCall(item: CallItem, step: Step | undefined, several: boolean): string | null {
  const { skill, toolRequest, request, part, feeds, isGuess } = item;
  if (step === undefined) return '';
  if (step.status !== 'done') return formatFailure(step.error ?? '', several ? part.text : null);
  if (feeds) return '';
  const formatted = skill.format(toolRequest.tool, toolRequest.input, step.output, request).trim();
  return formatted === '' ? (isGuess ? null : formatOutput(step.output)) : formatted;
}

/** A block that starts with Markdown structure keeps its number on a line of its own. */
function withNumber(number: string | null, text: string): string {
  if (number === null) return text;
  const label = /^(?:\d{1,2}|[a-h])$/i.test(number) ? `${number}.` : `${number}:`;
  return `**${label}**${/^(?:[|`~#>\-*+]|\d+[.)] )/.test(text) && !text.startsWith('**') ? '\n\n' : ' '}${text}`;
}
