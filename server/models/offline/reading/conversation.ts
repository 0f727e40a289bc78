import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import type { Step } from '../../../../shared/api/message.ts';
import { summaryIn } from '../../summary-words.ts';
import type { EarlierExchange } from '../skill.ts';
import { readAttached, withBlocks, type AttachedFile } from './attached.ts';

/** A prompt as the assistant reads it: the message to answer, its tool calls so far, and what came before. */
export interface ReadPrompt {
  /** Text of the last user message, with the text of its files. */
  message: string;
  /** The same without its files. */
  words: string;
  /** Files of that message. */
  files: AttachedFile[];
  /** Tool calls made for it so far, in order; empty while it is new. */
  calls: Step[];
  /** The exchanges before it, oldest first; of more than 20, the last. */
  history: EarlierExchange[];
  /** What stands for the part of the conversation before the prompt; null: there is none. */
  summary: string | null;
}

const MAX_EXCHANGES = 20;

/** Reads a prompt; null when it holds no user message. System text is not looked at, but for a summary. */
export function readConversation(prompt: LanguageModelV4Prompt): ReadPrompt | null {
  const starts = prompt.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-MAX_EXCHANGES - 1);
  const exchanges = starts.map((start, index) => prompt.slice(start, starts[index + 1]));
  const [message, ...calls] = exchanges.pop() ?? [];
  if (message === undefined) return null;
  const attached = readAttached(message);
  return {
    message: withBlocks(attached.words, attached.files),
    ...attached,
    calls: stepsOf(calls),
    summary: summaryIn(prompt[0]?.role === 'system' ? prompt[0].content : ''),
    history: exchanges.map(readExchange),
  };
}

function readExchange(messages: LanguageModelV4Prompt): EarlierExchange {
  const textBy = (by: LanguageModelV4Message['role']): string =>
    messages.flatMap((message) => (message.role === by && textOf(message)) || []).join('\n\n');
  return { question: textBy('user'), answer: textBy('assistant'), steps: stepsOf(messages) };
}

function textOf(message: LanguageModelV4Message): string {
  if (message.role === 'system') return '';
  if (message.role === 'user') {
    const { words, files } = readAttached(message);
    return withBlocks(words, files);
  }
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function stepsOf(messages: LanguageModelV4Message[]): Step[] {
  const steps: Step[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call')
        steps.push({ id: part.toolCallId, tool: part.toolName, status: 'running', input: part.input });
      if (part.type === 'tool-result') {
        const step = steps.find((one) => one.id === part.toolCallId);
        if (step) Object.assign(step, outcomeOf(part.output));
      }
    }
  }
  return steps;
}

function outcomeOf(output: LanguageModelV4ToolResultOutput): Pick<Step, 'status' | 'output' | 'error'> {
  const { type } = output;
  if (type === 'execution-denied')
    return { status: 'failed', error: output.reason ?? 'This tool call was not approved, so I left it.' };
  if (type === 'error-text') return { status: 'failed', error: output.value };
  if (type === 'error-json') return { status: 'failed', error: JSON.stringify(output.value) };
  if (type !== 'content') return { status: 'done', output: output.value };
  const texts = output.value.map((part) => (part.type === 'text' ? part.text : ''));
  return { status: 'done', output: texts.join('\n') };
}
