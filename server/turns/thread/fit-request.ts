/**
 * Makes a request fit its model's context: offers the tools for which there is room, and cuts tool outputs and file
 * texts. The chat keeps them whole; only what the model gets is cut, with a note on how to read on. Files of earlier
 * messages stay as first sent for as long as possible; before they are cut further, pictures of earlier messages are
 * dropped and their tool outputs cut. Next come the files of the message to answer, then earlier outputs of this turn,
 * and finally the newest ones.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { fileOf, forServers, isFilePart } from '../../models/file-parts.ts';
import { messageTokens, offeredTokens, outputText, pictureTokens } from '../../models/request-size.ts';
import { PICTURE_TOKENS } from '../../../shared/reckon-tokens.ts';
import { reckonTokens } from '../../models/reckon.ts';
import { outputShare, answerRoom, filesShare } from '../../agents/limits.ts';
import { chooseTools, toolRoom } from '../../tools/tool-budget.ts';

/** The tool that reads on where something was cut. */
export const READ_MORE = 'read_more';

/** The limits that a request has to fit. */
export interface Room {
  /** Tokens that the model reads. */
  limit: number;
  /** Tokens of the agent's instructions. */
  instructions: number;
  /** How many tokens the model counts for one estimated here; at least 1. */
  scale: number;
}

/** A request that fits, as far as possible. */
export interface FittedRequest {
  options: LanguageModelV4CallOptions;
  /** Tool outputs and file texts, uncut, in the order of the request; `read_more` counts them from 1. */
  outputs: string[];
  /** Its estimated size in the model's tokens. */
  tokens: number;
}

/** A tool output or file text, its place, and how much of it is sent. */
interface Output {
  part: LanguageModelV4ToolResultPart | LanguageModelV4TextPart;
  text: string;
  /** Index of its message in the prompt. */
  at: number;
  tokens: number;
  /** How many of its tokens are for pictures, which are dropped first. */
  pictures: number;
  /** How many of its tokens are sent. */
  kept: number;
}

/** The parts of a prompt that can be cut. */
interface Contents {
  outputs: Output[];
  /** The user's pictures, and the index of their messages. */
  pictures: { part: LanguageModelV4FilePart; at: number }[];
  /** Those of them that are not sent. */
  dropped: Set<LanguageModelV4FilePart>;
}

/** The note on how to read on. */
const NOTE_TOKENS = 40;

/** Makes a request fit. */
export function fitRequest(options: LanguageModelV4CallOptions, room: Room): FittedRequest {
  const { prompt } = options;
  const { limit, scale } = room;
  const contents = contentsOf(prompt, scale);
  const { outputs, dropped } = contents;
  const all = options.tools ?? [];
  const readMore = all.find(({ name }) => name === READ_MORE);
  const weighed = all
    .filter((tool) => tool !== readMore)
    .map((tool) => ({ tool, name: tool.name, tokens: Math.ceil(offeredTokens(tool) * scale) }));
  const { offered } = chooseTools(weighed, toolRoom(limit, room.instructions));
  const toolTokens = offered.reduce((sum, { tokens }) => sum + tokens, 0);
  const whole = prompt.reduce((sum, message) => sum + messageTokens(message) * scale, 0) + toolTokens;
  const lastQuestion = prompt.findLastIndex(({ role }) => role === 'user');
  const excess = shorten(contents, whole - (limit - answerRoom(limit)), { limit, lastQuestion, scale });
  const isCut = outputs.some(({ kept, tokens }) => kept < tokens);
  const tools = [...offered.map(({ tool }) => tool), ...(isCut && readMore ? [readMore] : [])];
  const fitted: LanguageModelV4CallOptions = {
    ...options,
    prompt: withCuts(prompt, contents, readMore !== undefined),
  };
  if (tools.length > 0) fitted.tools = tools;
  else {
    delete fitted.tools;
    delete fitted.toolChoice;
  }
  return {
    options: fitted,
    outputs: outputs.map(({ text }) => text),
    tokens: Math.ceil(isCut || dropped.size > 0 ? limit - answerRoom(limit) + Math.max(0, excess) : whole),
  };
}

function contentsOf(prompt: LanguageModelV4CallOptions['prompt'], scale: number): Contents {
  const contents: Contents = { outputs: [], pictures: [], dropped: new Set() };
  const add = (part: Output['part'], text: string, at: number, ofPictures = 0): void => {
    const pictures = Math.ceil(ofPictures * scale);
    const tokens = Math.ceil(reckonTokens(text) * scale) + pictures;
    contents.outputs.push({ part, text, at, tokens, pictures, kept: tokens });
  };
  prompt.forEach((message, at) => {
    if (message.role === 'tool') {
      for (const part of message.content)
        if (part.type === 'tool-result') add(part, outputText(part), at, pictureTokens(part));
    } else if (message.role === 'user') {
      for (const part of message.content) {
        if (isFilePart(part)) contents.pictures.push({ part, at });
        else if (fileOf(part)?.reason === null) add(part, part.text, at);
      }
    }
  });
  return contents;
}

/** Cuts the excess; returns how much is still too much. */
function shorten(
  { outputs, pictures, dropped }: Contents,
  tooMuch: number,
  { limit, lastQuestion, scale }: { limit: number; lastQuestion: number; scale: number },
): number {
  let excess = tooMuch;
  const least = outputShare(limit);
  const cut = (output: Output, to: number): void => {
    const { kept, tokens } = output;
    const saved = (kept < tokens ? kept : tokens - NOTE_TOKENS) - to;
    if (saved <= 0) return;
    output.kept = to;
    excess -= saved;
  };
  const drop = ({ part }: Contents['pictures'][number]): void => {
    dropped.add(part);
    excess -= PICTURE_TOKENS * scale - NOTE_TOKENS;
  };
  /** Cuts them to fit into this many tokens, the largest most. */
  const share = (among: readonly Output[], tokens: number): void => {
    let left = tokens;
    const bySize = among.toSorted((one, other) => one.tokens - other.tokens);
    bySize.forEach((output, index) => {
      const most = Math.floor(left / (bySize.length - index)) - NOTE_TOKENS;
      if (output.tokens > most) cut(output, Math.max(least, most));
      left -= Math.min(output.tokens, output.kept + NOTE_TOKENS);
    });
  };
  const earlier = outputs.filter(({ at }) => at < lastQuestion);
  const earlierFiles = Object.values(
    Object.groupBy(
      earlier.filter(({ part }) => part.type === 'text'),
      ({ at }) => at,
    ),
  );
  const shareEarlier = (tokens: number): void => {
    for (const files of earlierFiles) share(files ?? [], tokens);
  };
  if (excess <= 0) return excess;
  // All at once and in large steps, so that the prompt starts the same next time, for servers with a prompt cache.
  shareEarlier(filesShare(limit));
  if (excess > 0) for (const picture of pictures) if (picture.at < lastQuestion) drop(picture);
  if (excess > 0) for (const output of earlier) if (output.part.type !== 'text') cut(output, least);
  for (let most = filesShare(limit) / 2; excess > 0 && most > least; most /= 2) shareEarlier(most);
  if (excess > 0) for (const output of earlier) cut(output, least);
  const files = outputs.filter(({ at }) => at === lastQuestion);
  if (excess > 0) share(files, filesShare(limit));
  const latest = outputs.at(-1)?.at;
  const current = outputs.filter(({ at }) => at > lastQuestion);
  for (const output of current) if (output.at !== latest && excess > 0) cut(output, least);
  if (excess > 0) {
    const newest = current.filter(({ at }) => at === latest);
    share(newest, newest.reduce((sum, { tokens }) => sum + tokens, 0) - excess);
  }
  if (excess > 0) share(files, files.reduce((sum, { kept }) => sum + kept, 0) - excess);
  for (const picture of pictures.toReversed()) if (excess > 0 && picture.at === lastQuestion) drop(picture);
  return excess;
}

/** The prompt as sent: cut, with the files of a message in a separate text. */
function withCuts(
  prompt: LanguageModelV4CallOptions['prompt'],
  { outputs, dropped }: Contents,
  canReadOn: boolean,
): LanguageModelV4Message[] {
  const cuts = new Map<object, string>(
    outputs.flatMap((output, index) => {
      const { part, text, tokens, pictures, kept } = output;
      if (kept >= tokens) return [];
      const most = Math.min(text.length, Math.floor((text.length * kept) / (tokens - pictures)));
      const note =
        most < text.length ? cutNote(index + 1, most, text.length, canReadOn) : NO_ROOM_FOR_PICTURES;
      return [[part, `${text.slice(0, most).toWellFormed()}\n${note}`]];
    }),
  );
  return prompt.map((message): LanguageModelV4Message => {
    if (message.role === 'tool') {
      const content = message.content.map((part) => {
        const value = cuts.get(part);
        return part.type === 'tool-result' && value !== undefined
          ? { ...part, output: { type: 'text' as const, value } }
          : part;
      });
      return { ...message, content };
    }
    if (message.role !== 'user') return message;
    const content = message.content.map((part) => {
      if (isFilePart(part))
        return dropped.has(part) ? { type: 'text' as const, text: NO_ROOM_FOR_PICTURE } : part;
      const text = cuts.get(part);
      return text === undefined ? part : { ...part, text };
    });
    return { ...message, content: forServers(content) };
  });
}

const NO_ROOM_FOR_PICTURES = '[Its pictures are left out: there is no room for them.]';
const NO_ROOM_FOR_PICTURE = '[This picture is left out: there is no room for it.]';

function cutNote(output: number, shown: number, of: number, canReadOn: boolean): string {
  const what = `[Cut here: these are ${shown} of ${of} characters.`;
  return canReadOn ? `${what} To read on: ${READ_MORE} {"output":${output},"from":${shown}}]` : `${what}]`;
}
