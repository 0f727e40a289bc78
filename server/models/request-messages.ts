/**
 * The messages of a request as a model's server takes them. Whatever a conversation went through (stopped and failed
 * replies, other models, a client's own history), its turns alternate, each call has its result, nothing is empty, and
 * what a model wrote goes back as it came, wherever the server has room for it.
 */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { MessageRules } from '../connections/providers/provider.ts';
import { parseExactly } from '../lib/exact-json.ts';
import { isObject } from '../lib/fields.ts';
import { isFilePart, markedText, ownMarkOf } from './file-parts.ts';

/** What one server takes, after it refused some of that. */
export interface ServerRules extends Omit<MessageRules, 'thoughts'> {
  /** `required`: of every assistant message. */
  thoughts: MessageRules['thoughts'] | 'required';
  /** Instructions go into the first question. */
  hasNoSystem: boolean;
  /** Pictures are left out, with a note. */
  hasNoPictures: boolean;
  /** Calls and results are left out. */
  hasNoTools: boolean;
  /** Arguments that aren't JSON are sent within JSON. */
  needsJson: boolean;
}

type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number];
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
type ToolPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number];

const OPENING = '[The conversation goes on from here.]';
const INTERRUPTED = '[This reply was interrupted here.]';
const NOT_SEEN = '[A picture is left out here, since you can’t see pictures.]';
const NO_RESULT = 'There is no result.';
const NO_THOUGHT = '[Not recorded.]';
/** The field in which a model's arguments go back that aren't an object, as Anthropic recommends. */
const INVALID_JSON = 'INVALID_JSON';
/** What servers with Anthropic's format that sign nothing get back; the library drops thoughts without a signature. */
const UNSIGNED = { anthropic: { signature: '' } };
/** Marks a text that is to be sent as it is, and a thought in a text that is to be sent beside it; see {@link withMarkedInPlace}. */
const RAW = 'parley:raw';
const THOUGHT_MARK = '<parley:thought ';
const THOUGHT = new RegExp(`${THOUGHT_MARK}([\\w-]*)>\\s*`, 'g');
const toMarked = (thought: string): string => `${THOUGHT_MARK}${Buffer.from(thought).toString('base64url')}>`;

/** The prompt by a server's rules. */
export function toServerMessages(prompt: LanguageModelV4Prompt, rules: ServerRules): LanguageModelV4Prompt {
  const result: LanguageModelV4Message[] = [];
  /** Calls without a result so far: names by id. */
  const open = new Map<string, string>();

  const addUser = (content: UserPart[]): void => {
    closeCalls();
    const before = result.at(-1);
    if (before?.role === 'tool') {
      // What a client sends after a result stands right behind it, wherever the server takes that.
      const isReturned = before.content.some((part) => ownMarkOf(part).isReturned === true);
      if (!isReturned) addAssistant(interrupted(INTERRUPTED));
      else if (rules.answersResults === true) addAssistant(interrupted(OPENING));
    }
    const last = result.at(-1);
    if (last?.role === 'user') last.content.push(...content);
    else result.push({ role: 'user', content });
  };
  /** With a thought where the calls had one, of a server that may want one with each part of such a reply. */
  const interrupted = (text: string): AssistantPart[] => {
    const calls = result.findLast(({ role }) => role === 'assistant')?.content[0];
    const hasThought = rules.thoughts === 'any' && typeof calls === 'object' && calls.type === 'reasoning';
    return [
      ...(hasThought ? [{ type: 'reasoning' as const, text: NO_THOUGHT }] : []),
      { type: 'text', text },
    ];
  };
  const addAssistant = (content: AssistantPart[]): void => {
    closeCalls();
    if (!result.some(({ role }) => role === 'user')) addUser([{ type: 'text', text: OPENING }]);
    const last = result.at(-1);
    if (last?.role === 'assistant') last.content = withOneText([...last.content, ...content]);
    else result.push({ role: 'assistant', content });
    for (const part of content) if (part.type === 'tool-call') open.set(part.toolCallId, part.toolName);
  };
  const addResults = (results: ToolPart[]): void => {
    const last = result.at(-1);
    if (last?.role === 'tool') last.content.push(...results);
    else if (results.length > 0) result.push({ role: 'tool', content: results });
  };
  const closeCalls = (): void => {
    const output = { type: 'error-text' as const, value: NO_RESULT };
    const missing = [...open].map(([toolCallId, toolName]): ToolPart => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output,
    }));
    open.clear();
    addResults(missing);
  };

  for (const message of prompt) {
    switch (message.role) {
      case 'system':
        if (rules.hasNoSystem) addUser([{ type: 'text', text: message.content }]);
        else result.push(message);
        break;
      case 'user':
        addUser(
          message.content.map((part) =>
            rules.hasNoPictures && isFilePart(part) ? { type: 'text', text: NOT_SEEN } : part,
          ),
        );
        break;
      case 'assistant': {
        const content = message.content.flatMap((part) => toAssistantPart(part, rules));
        if (content.some(({ type }) => type !== 'reasoning')) addAssistant(content);
        break;
      }
      case 'tool': {
        const results = message.content.flatMap((part) =>
          part.type === 'tool-result' && open.delete(part.toolCallId) ? [named(part)] : [],
        );
        addResults(results);
        break;
      }
    }
  }
  closeCalls();
  return result.map((message) => finished(message, rules));
}

/** The message with what depends on all of its parts. */
function finished(message: LanguageModelV4Message, rules: ServerRules): LanguageModelV4Message {
  if (message.role === 'user') return { ...message, content: withFewTexts(message.content, rules) };
  if (message.role !== 'assistant') return message;
  const isThought = (part: AssistantPart): boolean => part.type === 'reasoning' && part.text !== '';
  const lacksThought = rules.thoughts === 'required' && !message.content.some(isThought);
  const content: AssistantPart[] = lacksThought
    ? [{ type: 'reasoning', text: NO_THOUGHT }, ...message.content]
    : message.content;
  if (rules.hasThoughtsApart !== true) return { ...message, content };
  const marked = content.map((part) =>
    part.type === 'reasoning' ? { type: 'text' as const, text: toMarked(part.text) } : part,
  );
  return { ...message, content: marked };
}

/** Neighbouring texts as one, since not all servers take lists of texts, without blank ones. Pictures stay where they were. */
function withFewTexts(content: readonly UserPart[], { hasPicturesApart }: ServerRules): UserPart[] {
  const kept = content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  const parts = kept.length === 0 ? content : kept;
  const ordered =
    hasPicturesApart === true
      ? [...parts.filter(isFilePart), ...parts.filter((part) => part.type === 'text')]
      : parts;
  return ordered.reduce<UserPart[]>((merged, part) => {
    const last = merged.at(-1);
    if (part.type !== 'text') merged.push(part);
    else if (last?.type === 'text') last.text += `\n\n${markedText(part)}`;
    else merged.push({ type: 'text', text: markedText(part) });
    return merged;
  }, []);
}

/** Texts of two replies in a row as one; thoughts first, calls last. */
function withOneText(content: readonly AssistantPart[]): AssistantPart[] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return [
    ...content.filter(({ type }) => type === 'reasoning'),
    ...(texts.length === 0 ? [] : [{ type: 'text' as const, text: texts.join('\n\n') }]),
    ...content.filter(({ type }) => type !== 'reasoning' && type !== 'text'),
  ];
}

function toAssistantPart(part: AssistantPart, rules: ServerRules): AssistantPart[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [part];
    case 'reasoning':
      return isTaken(part, rules)
        ? [{ ...part, providerOptions: { ...UNSIGNED, ...part.providerOptions } }]
        : [];
    case 'tool-call': {
      if (rules.hasNoTools) return [];
      const { input = JSON.stringify(part.input) } = ownMarkOf(part);
      return [named({ ...part, input: toArguments(input, rules) })];
    }
    default:
      return [part];
  }
}

function isTaken(part: AssistantPart & { type: 'reasoning' }, { thoughts }: ServerRules): boolean {
  const { isOfOther = false, isReturned = false } = ownMarkOf(part);
  switch (thoughts) {
    case 'none':
      return false;
    case 'any':
    case 'required':
      return part.text !== '';
    case 'own':
      return part.text !== '' && !isOfOther;
    case 'signed':
      return !isOfOther && !isReturned;
  }
}

/** Arguments as the server takes them. Tools without fields are often called with none. */
function toArguments(written: string, rules: ServerRules): unknown {
  const text = /^\s*(?:null\s*)?$/.test(written) ? '{}' : written;
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    if (rules.arguments === 'text' && !rules.needsJson) return JSON.stringify({ [RAW]: text });
  }
  if (rules.arguments === 'object') return isObject(value) ? value : { [INVALID_JSON]: text };
  return isObject(value) || !rules.needsJson ? text : JSON.stringify({ [INVALID_JSON]: text });
}

/** The body with what libraries have no room for: arguments that aren't JSON as the model wrote them, and thoughts. */
export function withMarkedInPlace(body: string): string {
  if (!body.includes(RAW) && !body.includes(THOUGHT_MARK)) return body;
  return JSON.stringify(JSON.parse(body), (key, value: unknown) => {
    if (isObject(value) && value['role'] === 'assistant' && typeof value['content'] === 'string') {
      const thoughts = [...value['content'].matchAll(THOUGHT)].map(([, text = '']) =>
        Buffer.from(text, 'base64url').toString(),
      );
      if (thoughts.length === 0) return value;
      const content = value['content'].replace(THOUGHT, '') || null;
      return { ...value, content, reasoning_content: thoughts.join('\n\n') };
    }
    if (key !== 'arguments' || typeof value !== 'string' || !value.startsWith(`{"${RAW}":`)) return value;
    return (JSON.parse(value) as Record<string, unknown>)[RAW];
  });
}

/** A tool name that all providers accept. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_NAME_CHARACTERS = 64;

/**
 * The part with a name that servers accept. A model may have called a tool by an invalid one, such as
 * `repo.calculate`: sent back unchanged, servers would refuse the conversation from then on.
 */
function named<T extends { toolName: string }>(part: T): T {
  const { toolName } = part;
  if (NAME.test(toolName)) return part;
  return { ...part, toolName: toolName.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_CHARACTERS) || '_' };
}
