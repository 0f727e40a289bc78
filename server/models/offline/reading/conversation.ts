import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import type { Step } from '../../../../shared/api/message.ts';
import { summaryIn } from '../../summary-words.ts';
import type { Exchange } from '../skill.ts';
import { readAttached, withBlocks, type AttachedFile } from './attached.ts';

/** A prompt as the assistant reads it: the message to answer, what was done for it, and what came before. */
export interface Conversation {
  /** Text of the last user message, with the text of its files. */
  message: string;
  /** The same without its files. */
  words: string;
  /** Files of that message. */
  files: AttachedFile[];
  /** Its place in the prompt. */
  messageIndex: number;
  /** Tool calls made for it so far, in order; empty while it is new. */
  calls: Step[];
  /** The exchanges before it, oldest first, at most {@link MAX_EXCHANGES}. Built when first asked for. */
  history(): Exchange[];
  /** What stands for the part of the conversation before the prompt; null: there is none. */
  summary: string | null;
}

/** Earlier exchanges that are looked at. */
export const MAX_EXCHANGES = 20;

/** Reads a prompt; null when it holds no user message. System text is not looked at, but for a summary. */
export function readConversation(prompt: LanguageModelV4Prompt): Conversation | null {
  const messageIndex = prompt.findLastIndex((message) => message.role === 'user');
  const message = prompt[messageIndex];
  if (!message) return null;
  let history: Exchange[] | null = null;
  return {
    message: textOf(message),
    ...readAttached(message),
    messageIndex,
    calls: stepsOf(prompt.slice(messageIndex + 1)),
    summary: summaryIn(prompt[0]?.role === 'system' ? prompt[0].content : ''),
    history: () => (history ??= readHistory(prompt, messageIndex)),
  };
}

function readHistory(prompt: LanguageModelV4Prompt, end: number): Exchange[] {
  const history: Exchange[] = [];
  let next = end;
  for (let index = end - 1; index >= 0 && history.length < MAX_EXCHANGES; index -= 1) {
    if (prompt[index]?.role !== 'user') continue;
    history.push(readExchange(prompt, index, next));
    next = index;
  }
  return history.reverse();
}

/** The exchange whose question stands at `start`; it ends at the next user message, or at `limit`. */
function readExchange(prompt: LanguageModelV4Prompt, start: number, limit: number): Exchange {
  let end = start + 1;
  while (end < limit && prompt[end]?.role !== 'user') end += 1;
  const question = prompt[start];
  const answer = prompt.slice(start + 1, end);
  return {
    question: question ? textOf(question) : '',
    answer: answer
      .filter(({ role }) => role === 'assistant')
      .map(textOf)
      .filter((text) => text !== '')
      .join('\n\n'),
    steps: stepsOf(answer),
  };
}

function textOf(message: LanguageModelV4Message): string {
  if (message.role === 'system') return message.content;
  if (message.role === 'user') {
    const { words, files } = readAttached(message);
    return withBlocks(words, files);
  }
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('\n\n');
}

function stepsOf(messages: LanguageModelV4Message[]): Step[] {
  const steps: Step[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') {
        steps.push({ id: part.toolCallId, tool: part.toolName, status: 'running', input: part.input });
      } else if (part.type === 'tool-result') {
        const step = steps.find((one) => one.id === part.toolCallId);
        if (step) Object.assign(step, outcomeOf(part.output));
      }
    }
  }
  return steps;
}

function outcomeOf(output: LanguageModelV4ToolResultOutput): Pick<Step, 'status' | 'output' | 'error'> {
  switch (output.type) {
    case 'json':
    case 'text':
      return { status: 'done', output: output.value };
    case 'content':
      return {
        status: 'done',
        output: output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
      };
    case 'error-text':
      return { status: 'failed', error: output.value };
    case 'error-json':
      return { status: 'failed', error: JSON.stringify(output.value) };
    case 'execution-denied':
      return { status: 'failed', error: output.reason ?? 'This tool call was not approved, so I left it.' };
  }
}
