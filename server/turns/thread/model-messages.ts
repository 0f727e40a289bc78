import type { FilePart, JSONValue, ModelMessage, TextPart, ToolCallPart, ToolResultPart } from 'ai';
import type { Step } from '../../../shared/api/message.ts';
import type { HistoryMessage, TurnFile } from '../../agents/turn.ts';
import { markFile } from '../../models/file-parts.ts';

/**
 * The conversation as a model gets it. An assistant message that used tools becomes its tool calls, their results and
 * then its text, so that the model sees its own earlier work. Assistant messages with neither are left out: providers
 * reject empty ones.
 */
export function toModelMessages(messages: readonly HistoryMessage[]): ModelMessage[] {
  const result: ModelMessage[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'user') {
      result.push({ role: 'user', content: questionOf(message) });
      return;
    }
    if (message.steps.length > 0) {
      result.push(
        { role: 'assistant', content: message.steps.map((step, at) => toCall(step, callId(index, at))) },
        { role: 'tool', content: message.steps.map((step, at) => toResult(step, callId(index, at))) },
      );
    }
    if (message.content !== '') result.push({ role: 'assistant', content: message.content });
  });
  return result;
}

/** The user's text, preceded by the attached files: names and texts, and pictures as such. */
function questionOf({ content, files = [] }: HistoryMessage): string | (TextPart | FilePart)[] {
  if (files.length === 0) return content;
  return [...files.flatMap(toParts), { type: 'text', text: content }];
}

function toParts(file: TurnFile): (TextPart | FilePart)[] {
  const { name, mediaType } = file;
  switch (file.gives) {
    case 'picture':
      return [
        { type: 'text', text: `[Picture: ${name}]` },
        { type: 'file', mediaType, filename: name, data: file.data },
      ];
    case 'text':
    case 'nothing':
      return [toTextPart(file)];
  }
}

/** A file as text: its content, or why it has none. */
export function toTextPart(
  file: Exclude<TurnFile, { gives: 'picture' }>,
): TextPart & { providerOptions: ReturnType<typeof markFile> } {
  const { name, mediaType } = file;
  const [text, isCut, reason] =
    file.gives === 'text'
      ? [file.text, file.isCut, null]
      : [`[The file “${name}” ${file.reason}.]`, false, file.reason];
  return { type: 'text', text, providerOptions: markFile({ name, mediaType, isCut, reason }) };
}

/**
 * Models restart their call numbers in each reply, but within a conversation the ids must differ. Mistral's models only
 * accept ids of nine letters and digits.
 */
function callId(message: number, step: number): string {
  const digits = (number: number, count: number): string => number.toString(36).padStart(count, '0');
  return `c${digits(message, 4)}${digits(step, 4)}`;
}

function toCall(step: Step, toolCallId: string): ToolCallPart {
  return { type: 'tool-call', toolCallId, toolName: step.tool, input: inputOf(step) };
}

/** The step keeps invalid input that a model wrote, but servers wouldn't accept it. */
function inputOf({ input }: Step): Step['input'] {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
}

function toResult(step: Step, toolCallId: string): ToolResultPart {
  const part = { type: 'tool-result', toolCallId, toolName: step.tool } as const;
  if (step.status !== 'done') {
    return {
      ...part,
      output: { type: 'error-text', value: step.error ?? 'It was stopped before it was done.' },
    };
  }
  // Step outputs come from JSON: the tool's (bounded, parsed) or the store's.
  return { ...part, output: { type: 'json', value: (step.output ?? null) as JSONValue } };
}
