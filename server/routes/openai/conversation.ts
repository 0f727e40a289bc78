/** A conversation that a client sent, and the forms in which models and agents get it. */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Step } from '../../../shared/api/message.ts';
import type { Round } from '../../../shared/growth.ts';
import type { HistoryMessage, TurnFile } from '../../agents/turn.ts';
import { markOwn } from '../../models/file-parts.ts';
import type { RehearsalCue } from '../../models/rehearsal/acts.ts';
import { attempt } from '../../../shared/attempt.ts';
import { fieldsOf, isObject, textOf } from '../../lib/fields.ts';
import { isDeeper } from '../../lib/is-deeper.ts';
import { OpenAiError, invalidParam } from '../../plugins/openai-error.ts';
import { toTextPart } from '../../turns/thread/model-messages.ts';
import { LINKED_PICTURE_TYPE, readFilePart, type ClientFile } from './read-files.ts';
import type { ClientCall } from './tools.ts';

/** The content of a message, or of a tool's result. */
export interface ClientContent {
  text: string;
  files: ClientFile[];
  /** Texts, and null for each of the files, in the client's order; absent: first the files, then the text. */
  order?: (string | null)[];
}

/** One message. */
export type Entry =
  | ({ role: 'user' } & ClientContent)
  | {
      role: 'assistant';
      text: string;
      /** Named as models know their tools. */
      calls: Pick<ClientCall, 'id' | 'name' | 'input'>[];
      /** Absent: the client returned none. */
      thought?: string;
    }
  | ({ role: 'tool'; callId: string } & ClientContent);

/** What the model gets of the files of messages; a linked picture has its address as `data`. */
export type GivenFiles = ReadonlyMap<Entry, readonly TurnFile[]>;

/** A conversation. */
export interface ClientConversation {
  /** System and developer messages, from anywhere in the conversation. */
  instructions: string[];
  /** All others, oldest first. */
  entries: Entry[];
}

/** If there are only instructions, the last of them becomes the user’s message. Throws OpenAiError if there are none; `param` names the field. */
export function requireEntries({ instructions, entries }: ClientConversation, param: string): void {
  if (entries.length > 0) return;
  const text = instructions.pop();
  if (text === undefined) throw invalidParam(param, `"${param}" must hold at least one user message.`);
  entries.push({ role: 'user', text, files: [] });
}

/** The prompt for a model. Instructions come first, in one message: many models only accept them there. */
export function toModelPrompt(
  { instructions, entries }: ClientConversation,
  files: GivenFiles,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  if (instructions.length > 0) prompt.push({ role: 'system', content: instructions.join('\n\n') });
  const names = new Map<string, string>();
  /** Files of the last results: many servers only take them from a user. */
  let ofResults: UserPart[] = [];
  const addFilesOfResults = (): void => {
    if (ofResults.length === 0) return;
    prompt.push({ role: 'assistant', content: [{ type: 'text', text: FILES_FOLLOW }] });
    prompt.push({ role: 'user', content: ofResults });
    ofResults = [];
  };
  for (const message of entries) {
    if (message.role !== 'tool') addFilesOfResults();
    if (message.role === 'user') {
      const { text, order = [...message.files.map(() => null), text] } = message;
      const given = [...(files.get(message) ?? [])];
      const content = order.flatMap((part): UserPart[] => {
        if (part !== null) return [{ type: 'text', text: part }];
        const file = given.shift();
        return file === undefined ? [] : [toPart(file)];
      });
      prompt.push({ role: 'user', content });
    } else if (message.role === 'assistant') {
      const { text, calls, thought } = message;
      for (const { id, name } of calls) names.set(id, name);
      const content = [
        ...(thought === undefined
          ? []
          : [{ type: 'reasoning' as const, text: thought, providerOptions: markOwn({ isReturned: true }) }]),
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map(({ id, name, input }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: name,
          input: parsed(input),
          providerOptions: markOwn({ input }),
        })),
      ];
      // No provider accepts an empty one.
      if (content.length > 0) prompt.push({ role: 'assistant', content });
    } else {
      const result = {
        type: 'tool-result' as const,
        toolCallId: message.callId,
        toolName: names.get(message.callId) ?? '',
        output: {
          type: 'text' as const,
          value: message.text === '' && message.files.length > 0 ? FILES_FOLLOW : message.text,
        },
        providerOptions: markOwn({ isReturned: true }),
      };
      const last = prompt.at(-1);
      if (last?.role === 'tool') last.content.push(result);
      else prompt.push({ role: 'tool', content: [result] });
      ofResults.push(...(files.get(message) ?? []).map(toPart));
    }
  }
  addFilesOfResults();
  return prompt;
}

const FILES_FOLLOW = '[The result comes with files; they follow.]';

type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number];

function toPart(file: TurnFile): UserPart {
  if (file.gives !== 'picture') return toTextPart(file);
  const { name, mediaType, data, detail } = file;
  // The address stays a text: it crosses to a thread, and the libraries only need its text.
  const content =
    mediaType === LINKED_PICTURE_TYPE
      ? { type: 'url' as const, url: data as unknown as URL }
      : { type: 'data' as const, data };
  const part: UserPart = { type: 'file', mediaType, filename: name, data: content };
  if (detail === undefined) return part;
  return { ...part, providerOptions: { openai: { imageDetail: detail }, openaiCompatible: { detail } } };
}

/** The conversation as agents get it. */
export function toHistory({ entries }: ClientConversation, given: GivenFiles): HistoryMessage[] {
  return entries.flatMap((message): HistoryMessage[] => {
    if (message.role === 'tool') return [];
    const { role, text: content } = message;
    if (role === 'assistant') {
      const { calls, thought } = message;
      const round: Round = {
        textFrom: 0,
        stepsFrom: 0,
        thoughts: thought === undefined ? [] : [{ text: thought }],
        calls: calls.map(({ input }) => ({ input })),
      };
      return [{ role, content, steps: calls.map((call) => toStep(call, entries)), rounds: [round] }];
    }
    const files = given.get(message) ?? [];
    return [{ role, content, steps: [], ...(files.length > 0 && { files }) }];
  });
}

/** The text of the last message. Throws OpenAiError unless it is a user message that isn't empty. */
export function requireUserText(entries: readonly Entry[], param: string): string {
  const last = entries.at(-1);
  if (last?.role !== 'user' || (last.text.trim() === '' && last.files.length === 0))
    throw invalidParam(param, NO_USER_TEXT);
  return last.text;
}

const NO_USER_TEXT =
  'Agents, the offline assistant and chats answer the user: the last message must have the role "user" and must not be empty.';

function toStep(
  { id, name, input }: Pick<ClientCall, 'id' | 'name' | 'input'>,
  entries: readonly Entry[],
): Step {
  const result = entries.find((message) => message.role === 'tool' && message.callId === id);
  const step = { id, tool: name, input: parsed(input) };
  return result === undefined
    ? { ...step, status: 'failed', error: 'The request did not include its result.' }
    : { ...step, status: 'done', output: result.text };
}

/** Selects a rehearsal's next act. */
export function toCue({ entries }: ClientConversation): RehearsalCue {
  const texts = entries.flatMap((message) => (message.role === 'user' ? [message.text] : []));
  return { opening: texts[0] ?? '', turn: Math.max(0, texts.length - 1) };
}

/** More than anybody needs, and few enough to send to a thread. */
const MAX_LEVELS = 100;

/** Throws OpenAiError for data that is nested too deeply. */
export function requireShallow(body: unknown): void {
  if (isDeeper(body, MAX_LEVELS)) throw new OpenAiError(400, TOO_DEEP);
}

const TOO_DEEP = `Lists and objects may be nested ${MAX_LEVELS} levels deep; send flatter data.`;

/** The arguments as an object, for what reads them in Parley. */
function parsed(input: string): Record<string, unknown> {
  const value = attempt(() => JSON.parse(input) as unknown);
  return isObject(value) && !isDeeper(value, MAX_LEVELS) ? value : {};
}

const TEXT_PARTS = new Set(['text', 'input_text', 'output_text', 'refusal']);
/** What other servers put into a reply; their signatures are of no use here. */
const THOUGHT_PARTS = new Set(['thinking', 'redacted_thinking', 'reasoning']);
/** The text of a message's `content`: text, parts of text, or null. Throws OpenAiError for anything else. */
export function readMessageContent(content: unknown, param: string): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) {
    throw invalidParam(param, `"${param}" must be a text, or a list of parts of text.`);
  }
  return content
    .flatMap((part: unknown, index) =>
      THOUGHT_PARTS.has(String(fieldsOf(part)['type'])) ? [] : [readPart(part, `${param}[${index}]`)],
    )
    .join('\n\n');
}

function readPart(part: unknown, param: string): string {
  const { type, text, refusal } = fieldsOf(part);
  if (typeof type === 'string' && TEXT_PARTS.has(type)) {
    const content = text ?? refusal;
    if (typeof content === 'string') return content;
    throw invalidParam(`${param}.text`, `"${param}.text" must be a text.`);
  }
  if (typeof type === 'string' && FILE_PARTS.has(type))
    throw invalidParam(
      param,
      'Only messages of the role "user" and results of tools can have pictures and files.',
    );
  throw invalidParam(param, 'Messages can hold text, pictures and files; other parts are not supported.');
}

const FILE_PARTS = new Set(['image_url', 'input_image', 'file', 'input_file']);

/** The text and files of a user message or of a tool's result. Throws as {@link readMessageContent}. */
export function readEntry(content: unknown, param: string): ClientContent {
  if (!Array.isArray(content) || content.length === 0)
    return { text: readMessageContent(content, param), files: [] };
  const files: ClientFile[] = [];
  const order = content.map((part: unknown, index) => {
    const where = `${param}[${index}]`;
    const file = readFilePart(part, where);
    if (file === null) return readPart(part, where);
    files.push(file);
    return null;
  });
  return { text: order.filter((written) => written !== null).join('\n\n'), files, order };
}

/** What a model thought, as clients return it: as one text, or in a list of parts; undefined: nothing. */
export function readThought(...given: unknown[]): string | undefined {
  const texts = given.map((thought) =>
    Array.isArray(thought)
      ? thought.map((part: unknown) => textOf(fieldsOf(part)['text']) ?? '').join('\n\n')
      : thought,
  );
  return texts.find((text): text is string => typeof text === 'string' && text !== '');
}
