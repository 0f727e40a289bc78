import type {
  JSONValue,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { Step } from '../../../shared/api/message.ts';
import type { Round, Signed } from '../../../shared/growth.ts';
import type { Picture } from '../../agents/call-tool.ts';
import type { HistoryMessage, TurnFile } from '../../agents/turn.ts';
import { markFile, markOwn, type OwnMark } from '../../models/file-parts.ts';

type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number];
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/**
 * The conversation as a model gets it: an assistant message that used tools in its rounds, each with its thoughts, text,
 * calls and their results, so that the model sees its own earlier work as it was, in this reply and in earlier ones.
 * request-messages.ts makes of it what the model's server takes. `pictures`: those that steps of the last message gave, by step id.
 */
export function toModelMessages(
  messages: readonly HistoryMessage[],
  pictures: ReadonlyMap<string, readonly Picture[]>,
): LanguageModelV4Prompt {
  const result: LanguageModelV4Prompt = [];
  messages.forEach((message, index) => {
    if (message.role === 'user') {
      result.push({ role: 'user', content: userParts(message) });
      return;
    }
    const { content, steps, rounds = unknownRounds(message), isOfOther = false } = message;
    rounds.forEach(({ textFrom, stepsFrom, thoughts, calls }, at) => {
      const next = rounds[at + 1];
      const gap = at > 0 && content.startsWith('\n\n', textFrom) ? 2 : 0;
      const text = content.slice(textFrom + gap, next?.textFrom);
      const own = steps.slice(stepsFrom, next?.stepsFrom);
      const idOf = (step: number): string => callId(index, stepsFrom + step);
      const optionsOf = (signed: Signed | undefined, mark: OwnMark): SharedV4ProviderOptions => ({
        ...(isOfOther ? {} : (signed as SharedV4ProviderOptions | undefined)),
        ...markOwn(mark),
      });
      const parts: AssistantPart[] = [
        ...withThoughts(text, thoughts, textFrom + gap, (signed) =>
          optionsOf(signed, isOfOther ? { isOfOther } : {}),
        ),
        ...own.map((step, number) => {
          const call: Round['calls'][number] = calls[number] ?? {};
          const { input = textOfInput(step), signed } = call;
          return {
            type: 'tool-call' as const,
            toolCallId: idOf(number),
            toolName: step.tool,
            input: inputOf(step),
            providerOptions: optionsOf(signed, input === null ? {} : { input }),
          };
        }),
      ];
      if (parts.length > 0) result.push({ role: 'assistant', content: parts });
      const seen = (step: Step): readonly Picture[] =>
        (index === messages.length - 1 && pictures.get(step.id)) || [];
      if (own.length > 0)
        result.push({
          role: 'tool',
          content: own.map((step, number) => toResult(step, idOf(number), seen(step))),
        });
    });
  });
  return result;
}

/** A round's text, which begins at `textFrom` of its reply's, with its thoughts where they stood. */
export function withThoughts(
  text: string,
  thoughts: Round['thoughts'],
  textFrom: number,
  optionsOf: (signed: Signed | undefined) => SharedV4ProviderOptions,
): AssistantPart[] {
  const parts: AssistantPart[] = [];
  let from = 0;
  const addText = (to?: number): void => {
    const piece = text.slice(from, to);
    if (piece !== '') parts.push({ type: 'text', text: piece });
    from += piece.length;
  };
  for (const { text: thought, textAt = 0, signed } of thoughts) {
    addText(Math.max(from, textAt - textFrom));
    parts.push({ type: 'reasoning', text: thought, providerOptions: optionsOf(signed) });
  }
  addText();
  return parts;
}

/** All calls at once, and then the text. */
const unknownRounds = ({ steps }: HistoryMessage): Round[] => [
  ...(steps.length === 0 ? [] : [{ textFrom: 0, stepsFrom: 0, thoughts: [], calls: [] }]),
  { textFrom: 0, stepsFrom: steps.length, thoughts: [], calls: [] },
];

/** The user's text, preceded by the attached files: names and texts, and pictures as such. */
const userParts = ({ content, files = [] }: HistoryMessage): UserPart[] => [
  ...files.flatMap(toParts),
  ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
];

function toParts(file: TurnFile): UserPart[] {
  switch (file.gives) {
    case 'picture':
      return [
        { type: 'text', text: `[Picture: ${file.name}]` },
        {
          type: 'file',
          mediaType: file.mediaType,
          filename: file.name,
          data: { type: 'data', data: file.data },
        },
      ];
    case 'text':
    case 'nothing':
      return [toTextPart(file)];
  }
}

/** A file as text: its content, or why it has none. */
export function toTextPart(
  file: Exclude<TurnFile, { gives: 'picture' }>,
): LanguageModelV4TextPart & { providerOptions: ReturnType<typeof markFile> } {
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

/** The step keeps invalid input that a model wrote, which nobody can read as an object. */
function inputOf({ input }: Step): Step['input'] {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
}

/** Invalid input as the model wrote it, as far as that is known; null: it is valid. */
function textOfInput(step: Step): string | null {
  const { input } = step;
  if (inputOf(step) === input) return null;
  return typeof input === 'string' ? input : JSON.stringify(input ?? null);
}

function toResult(
  step: Step,
  toolCallId: string,
  pictures: readonly Picture[],
): LanguageModelV4ToolResultPart {
  const part = { type: 'tool-result', toolCallId, toolName: step.tool } as const;
  if (step.status !== 'done') {
    return {
      ...part,
      output: { type: 'error-text', value: step.error ?? 'It was stopped before it was done.' },
    };
  }
  // Step outputs come from JSON: the tool's (bounded, parsed) or the store's.
  const value = (step.output ?? null) as JSONValue;
  if (pictures.length === 0) return { ...part, output: { type: 'json', value } };
  const shown = pictures.map(({ mediaType, data }) => ({
    type: 'file' as const,
    mediaType,
    data: { type: 'data' as const, data },
  }));
  return {
    ...part,
    output: { type: 'content', value: [{ type: 'text', text: JSON.stringify(value) }, ...shown] },
  };
}
