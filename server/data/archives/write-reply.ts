/** Builds a reply from the app's several messages: text, reasoning, tool calls and their outputs. */
import type { Step } from '../../../shared/api/message.ts';
import { boundOutput } from '../../tools/bound-output.ts';
import type { MissingKind, SourceNode, SourcePart } from './source-chat.ts';

const MAX_NAME_CHARACTERS = 200;

/** A reply, or a person's message, as Parley stores it. */
export interface Written {
  content: string;
  steps: Step[];
  reasoning: string;
  model: string | null;
  createdAt: string | null;
}

/** Whether there is anything in it. */
export const isEmpty = ({ content, steps, reasoning }: Written): boolean =>
  content === '' && steps.length === 0 && reasoning === '';

/** Joins these messages into one. */
export function writeTogether(nodes: readonly SourceNode[]): Written {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const steps: (Step & { callId: string | null })[] = [];
  let length = 0;
  const say = (text: string): void => {
    length += text.length + (texts.length > 0 ? PARAGRAPH.length : 0);
    texts.push(text);
  };
  for (const part of nodes.flatMap(({ parts }) => parts)) {
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
        steps.push({ ...begunStep(part, steps.length, length), callId: part.callId });
        break;
      case 'result': {
        const step = steps.findLast(({ callId }) => part.callId === null || callId === part.callId);
        if (step === undefined) say(asText(part.output));
        else endStep(step, part);
      }
    }
  }
  return {
    content: texts.join(PARAGRAPH),
    steps: steps.map(({ callId: _, ...step }) => step),
    reasoning: thoughts.join(PARAGRAPH),
    model: nodes.findLast(({ model }) => model !== null)?.model ?? null,
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

type Call = Extract<SourcePart, { kind: 'call' }>;
type Result = Extract<SourcePart, { kind: 'result' }>;

const begunStep = ({ tool, input }: Call, index: number, textBefore: number): Step => ({
  id: String(index),
  tool: tool.slice(0, MAX_NAME_CHARACTERS).toWellFormed(),
  status: 'done',
  input: bounded(input),
  textBefore,
});

function endStep(step: Step, { output, failed }: Result): void {
  if (failed) Object.assign(step, { status: 'failed', error: asText(bounded(output)) });
  // If a call has several results, as with some tools, all are kept.
  else
    step.output = bounded(step.output === undefined ? output : `${asText(step.output)}\n\n${asText(output)}`);
}

/** Values nested too deeply are left out. */
function bounded(value: unknown): unknown {
  try {
    return boundOutput(value);
  } catch {
    return null;
  }
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
