/** Builds a reply from the app's several messages: text, reasoning, tool calls and their outputs. */
import type { Step, StopReason } from '../../../shared/api/message.ts';
import { attempt } from '../../../shared/attempt.ts';
import { boundOutput } from '../../tools/bound-output.ts';
import { titleInMarkdown } from './markup.ts';
import type { MissingKind, SourceNode, SourcePart } from './source-chat.ts';

const MAX_NAME_CHARACTERS = 200;

/** A reply, or a person's message, as Parley stores it. */
export interface WrittenReply {
  content: string;
  steps: Step[];
  reasoning: string;
  /** Why the reply failed; null: it didn't. */
  error: string | null;
  stopReason: StopReason;
  model: string | null;
  createdAt: string | null;
}

/** Whether there is anything in it. */
export const isEmptyReply = ({ content, steps, reasoning, error }: WrittenReply): boolean =>
  content === '' && steps.length === 0 && reasoning === '' && error === null;

/** Joins these messages into one. */
export function writeTogether(nodes: readonly SourceNode[]): WrittenReply {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const steps: (Step & { callId: string | null })[] = [];
  const sources = new Map<string, string>();
  let error: string | null = null;
  let stopReason: StopReason = 'end';
  let length = 0;
  const begin = (callId: string | null, tool: string, input: unknown): (typeof steps)[number] => {
    const step = {
      id: String(steps.length),
      tool: tool.slice(0, MAX_NAME_CHARACTERS).toWellFormed(),
      status: 'done' as const,
      input: bounded(input),
      textBefore: length,
      callId,
    };
    steps.push(step);
    return step;
  };
  const say = (text: string): void => {
    length += text.length + (texts.length > 0 ? PARAGRAPH.length : 0);
    texts.push(text);
  };
  for (const part of nodes.flatMap(({ parts }) => parts)) {
    // What goes on wasn't cut.
    stopReason = part.kind === 'cut' ? part.reason : 'end';
    switch (part.kind) {
      case 'text':
        say(part.text);
        break;
      case 'missing':
        say(missingLine(part.what, part.name));
        break;
      case 'reasoning':
        if (part.text !== '') thoughts.push(part.text);
        break;
      case 'call':
        begin(part.callId, part.tool, part.input);
        break;
      case 'result': {
        const { callId, tool } = part;
        const step = callId === null ? steps.at(-1) : steps.findLast((each) => each.callId === callId);
        const isOfStep = step !== undefined && (callId !== null || isOneTool(step.tool, tool));
        endStep(isOfStep ? step : begin(callId, tool || 'tool', null), part);
        break;
      }
      case 'source': {
        const key = part.url === null ? part.title : plainUrl(part.url);
        if (!sources.has(key)) sources.set(key, sourceLink(part));
        break;
      }
      case 'error':
        error = part.text;
    }
  }
  if (sources.size > 0) say(`Sources:\n\n${[...sources.values()].map((link) => `- ${link}`).join('\n')}`);
  return {
    content: texts.join(PARAGRAPH),
    steps: steps.map(({ callId: _, ...step }) => step),
    reasoning: thoughts.join(PARAGRAPH),
    error,
    stopReason,
    model: nodes.findLast(({ model = null }) => model !== null)?.model ?? null,
    createdAt: nodes.find(({ createdAt }) => createdAt !== null)?.createdAt ?? null,
  };
}

const PARAGRAPH = '\n\n';

const missingLine = (what: MissingKind, name: string | null): string => {
  const named = name?.replace(/[\p{Cc}\p{Cf}[\]\s]+/gu, ' ').trim() ?? '';
  return named === ''
    ? `[${what} not brought over]`
    : `[${what} not brought over: ${named.slice(0, MAX_NAME_CHARACTERS).toWellFormed()}]`;
};

/** Whether a tool may have answered a call: some apps name a tool's functions, as in `browser.search`. */
const isOneTool = (called: string, answering: string): boolean =>
  answering === '' || called.split('.')[0] === answering.split('.')[0];

/** ChatGPT marks the links that it gives, and gives most of them without the mark as well. */
const plainUrl = (url: string): string => url.replace(/[?&]utm_source=chatgpt\.com$/, '').replace(/\/$/, '');

function sourceLink({ title, url }: Extract<SourcePart, { kind: 'source' }>): string {
  const words = titleInMarkdown(title) || titleInMarkdown(plainUrl(url ?? ''));
  return url === null
    ? words
    : `[${words}](${plainUrl(url).replace(/[\s()<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)})`;
}

function endStep(step: Step, { output, failed }: Extract<SourcePart, { kind: 'result' }>): void {
  if (failed) Object.assign(step, { status: 'failed', error: asText(bounded(output)) });
  // If a call has several results, as with some tools, all are kept.
  else
    step.output = bounded(step.output === undefined ? output : `${asText(step.output)}\n\n${asText(output)}`);
}

/** Values nested too deeply are left out. */
const bounded = (value: unknown): unknown => attempt(() => boundOutput(value));

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
