/**
 * Makes a request fit what its model reads: offers the tools for which there is room, and cuts what tools gave. The steps of
 * the chat keep their outputs whole; only what the model is sent is cut, with a word on how to read on. What was given to
 * earlier messages is cut first, then what came earlier in this turn, and last what has just come.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { messageTokens, offeredTokens, outputText, pictureTokens } from '../../models/request-size.ts';
import { reckonTokens } from '../../models/reckon.ts';
import { outputShare, answerRoom } from '../../agents/limits.ts';
import { chooseTools, toolRoom } from '../../tools/tool-budget.ts';
import { READ_MORE } from './read-more.ts';

/** What a request is made to fit. */
export interface Room {
  /** Tokens that the model reads. */
  limit: number;
  /** Tokens of the agent's instructions. */
  instructions: number;
  /** How many tokens the model counts for one that is reckoned here; at least 1. */
  scale: number;
}

/** A request that fits, as far as it can be made to. */
export interface FittedRequest {
  options: LanguageModelV4CallOptions;
  /** What the tools gave, whole, in the order in which the request holds it; `read_more` counts them from 1. */
  outputs: string[];
  /** About how many tokens it takes by the model's count. */
  tokens: number;
}

/** What a tool gave, where it stands, and how much of it is sent. */
interface Output {
  part: LanguageModelV4ToolResultPart;
  text: string;
  /** Where its message stands in the prompt. */
  at: number;
  tokens: number;
  /** How many of them are for pictures, which go first. */
  pictures: number;
  /** Tokens of it that are sent. */
  kept: number;
}

/** The note on how to read on. */
const NOTE_TOKENS = 40;

/** The request as its model can read it. */
export function fitRequest(options: LanguageModelV4CallOptions, room: Room): FittedRequest {
  const { prompt } = options;
  const { limit, scale } = room;
  const outputs = outputsIn(prompt, scale);
  const all = options.tools ?? [];
  const readMore = all.find(({ name }) => name === READ_MORE);
  const weighed = all
    .filter((tool) => tool !== readMore)
    .map((tool) => ({ tool, name: tool.name, tokens: Math.ceil(offeredTokens(tool) * scale) }));
  const { offered } = chooseTools(weighed, toolRoom(limit, room.instructions));
  const toolTokens = offered.reduce((sum, { tokens }) => sum + tokens, 0);
  const whole = prompt.reduce((sum, message) => sum + messageTokens(message) * scale, 0) + toolTokens;
  const lastQuestion = prompt.findLastIndex(({ role }) => role === 'user');
  const excess = shorten(outputs, whole - (limit - answerRoom(limit)), { limit, lastQuestion });
  const isCut = outputs.some(({ kept, tokens }) => kept < tokens);
  const tools = [...offered.map(({ tool }) => tool), ...(isCut && readMore ? [readMore] : [])];
  const fitted: LanguageModelV4CallOptions = { ...options };
  if (isCut) fitted.prompt = withCuts(prompt, outputs, readMore !== undefined);
  if (tools.length > 0) fitted.tools = tools;
  else {
    delete fitted.tools;
    delete fitted.toolChoice;
  }
  return {
    options: fitted,
    outputs: outputs.map(({ text }) => text),
    tokens: Math.ceil(isCut ? limit - answerRoom(limit) + Math.max(0, excess) : whole),
  };
}

function outputsIn(prompt: LanguageModelV4CallOptions['prompt'], scale: number): Output[] {
  return prompt.flatMap((message, at) =>
    message.role !== 'tool'
      ? []
      : message.content.flatMap((part) => {
          if (part.type !== 'tool-result') return [];
          const text = outputText(part);
          const pictures = Math.ceil(pictureTokens(part) * scale);
          const tokens = Math.ceil(reckonTokens(text) * scale) + pictures;
          return [{ part, text, at, tokens, pictures, kept: tokens }];
        }),
  );
}

/** Takes from the outputs what is too much; what is left of that afterwards. */
function shorten(
  outputs: readonly Output[],
  tooMuch: number,
  { limit, lastQuestion }: { limit: number; lastQuestion: number },
): number {
  if (tooMuch <= 0) return tooMuch;
  let excess = tooMuch;
  const least = outputShare(limit);
  const cut = (output: Output, to: number): void => {
    const saved = output.tokens - to - NOTE_TOKENS;
    if (saved <= 0) return;
    output.kept = to;
    excess -= saved;
  };
  // All at once, so that a server that keeps what it has read finds the same beginning next time.
  for (const output of outputs) if (output.at < lastQuestion) cut(output, least);
  const latest = outputs.at(-1)?.at;
  const current = outputs.filter(({ at }) => at > lastQuestion);
  for (const output of current) if (output.at !== latest && excess > 0) cut(output, least);
  if (excess <= 0) return excess;
  const newest = current
    .filter(({ at }) => at === latest)
    .toSorted((one, other) => one.tokens - other.tokens);
  let left = newest.reduce((sum, { tokens }) => sum + tokens, 0) - excess;
  newest.forEach((output, index) => {
    const share = Math.floor(left / (newest.length - index)) - NOTE_TOKENS;
    if (output.tokens > share) cut(output, Math.max(least, share));
    left -= Math.min(output.tokens, output.kept + NOTE_TOKENS);
  });
  return excess;
}

function withCuts(
  prompt: LanguageModelV4CallOptions['prompt'],
  outputs: readonly Output[],
  canReadOn: boolean,
): LanguageModelV4Message[] {
  const cuts = new Map(
    outputs.flatMap((output, index) => {
      const { part, text, tokens, pictures, kept } = output;
      if (kept >= tokens) return [];
      const most = Math.min(text.length, Math.floor((text.length * kept) / (tokens - pictures)));
      const note =
        most < text.length ? cutNote(index + 1, most, text.length, canReadOn) : NO_ROOM_FOR_PICTURES;
      const value = `${text.slice(0, most).toWellFormed()}\n${note}`;
      return [[part, { ...part, output: { type: 'text' as const, value } }]];
    }),
  );
  return prompt.map((message) =>
    message.role === 'tool'
      ? {
          ...message,
          content: message.content.map((part) => (part.type === 'tool-result' && cuts.get(part)) || part),
        }
      : message,
  );
}

const NO_ROOM_FOR_PICTURES = '[Its pictures are left out: there is no room for them.]';

function cutNote(output: number, shown: number, of: number, canReadOn: boolean): string {
  const what = `[Cut here: these are ${shown} of ${of} characters.`;
  return canReadOn ? `${what} To read on: ${READ_MORE} {"output":${output},"from":${shown}}]` : `${what}]`;
}
