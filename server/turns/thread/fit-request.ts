/**
 * Makes a request fit its model's context: offers the tools for which there is room, and cuts tool outputs and file
 * texts. The chat keeps them whole; only what the model gets is cut, with a note on how to read on. Files of earlier
 * messages stay as first sent for as long as possible; before they are cut further, pictures of earlier messages are
 * dropped and their tool outputs cut. Next come the files of the message to answer, then earlier outputs of this turn,
 * and finally the newest ones.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { fileOf, isFilePart } from '../../models/file-parts.ts';
import { messageTokens, offeredTokens, outputText, pictureTokens } from '../../models/request-size.ts';
import { PICTURE_TOKENS } from '../../../shared/estimate-tokens.ts';
import { estimateTokens } from '../../models/estimate.ts';
import { outputShare, answerRoom, filesShare } from '../../agents/limits.ts';
import { fitTools, toolRoom } from '../../tools/tool-budget.ts';

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

/** A part of the prompt that can be cut: a tool output, the text of a file, or a picture of the user. */
interface Piece {
  part: object;
  kind: 'output' | 'file' | 'picture';
  /** Empty for a picture. */
  text: string;
  /** Index of its message in the prompt. */
  at: number;
  tokens: number;
  /** How many of its tokens are for pictures of a tool, which are dropped first. */
  pictures: number;
  /** How many of its tokens are sent. */
  kept: number;
}

/** The note on how to read on. */
const NOTE_TOKENS = 40;

/** Makes a request fit. */
export function fitRequest(options: LanguageModelV4CallOptions, room: Room): FittedRequest {
  const { prompt } = options;
  const { limit, scale } = room;
  const pieces = piecesOf(prompt, scale);
  const all = options.tools ?? [];
  const readMore = all.find(({ name }) => name === READ_MORE);
  const weighed = all
    .filter((tool) => tool !== readMore)
    .map((tool) => ({ tool, name: tool.name, tokens: Math.ceil(offeredTokens(tool) * scale) }));
  const { offered } = fitTools(weighed, toolRoom(limit, room.instructions));
  const toolTokens = offered.reduce((sum, { tokens }) => sum + tokens, 0);
  const whole = prompt.reduce((sum, message) => sum + messageTokens(message) * scale, 0) + toolTokens;
  const lastUserAt = prompt.findLastIndex(({ role }) => role === 'user');
  const excess = shorten(pieces, whole - (limit - answerRoom(limit)), limit, lastUserAt);
  const cut = pieces.filter(({ kept, tokens }) => kept < tokens);
  const isTextCut = cut.some(({ kind }) => kind !== 'picture');
  const tools = [...offered.map(({ tool }) => tool), ...(isTextCut && readMore ? [readMore] : [])];
  const texts = pieces.filter(({ kind }) => kind !== 'picture');
  const cuts = new Map(
    cut.map((piece) => [piece.part, cutText(piece, readMore && texts.indexOf(piece) + 1)]),
  );
  const fitted: LanguageModelV4CallOptions = {
    ...options,
    prompt: prompt.map((message) => withCuts(message, cuts)),
  };
  if (tools.length > 0) fitted.tools = tools;
  else {
    delete fitted.tools;
    delete fitted.toolChoice;
  }
  return {
    options: fitted,
    outputs: texts.map(({ text }) => text),
    tokens: Math.ceil(cut.length > 0 ? limit - answerRoom(limit) + Math.max(0, excess) : whole),
  };
}

function piecesOf(prompt: LanguageModelV4CallOptions['prompt'], scale: number): Piece[] {
  return prompt.flatMap((message, at) => {
    if (message.role !== 'tool' && message.role !== 'user') return [];
    return message.content.flatMap((part): Piece[] => {
      const pieceOf = (kind: Piece['kind'], text: string, ofPictures = 0): Piece[] => {
        const pictures = Math.ceil(ofPictures * scale);
        const tokens = Math.ceil(estimateTokens(text) * scale) + pictures;
        return [{ part, kind, text, at, tokens, pictures, kept: tokens }];
      };
      if (part.type === 'tool-result') return pieceOf('output', outputText(part), pictureTokens(part));
      if (isFilePart(part)) return pieceOf('picture', '', PICTURE_TOKENS);
      return part.type === 'text' && fileOf(part)?.reason === null ? pieceOf('file', part.text) : [];
    });
  });
}

/** Cuts pieces until the excess is gone; returns how much is still too much. */
function shorten(pieces: readonly Piece[], tooMuch: number, limit: number, lastUserAt: number): number {
  let excess = tooMuch;
  const least = outputShare(limit);
  const cut = (piece: Piece, to: number): void => {
    const { kept, tokens } = piece;
    const saved = (kept < tokens ? kept : tokens - NOTE_TOKENS) - to;
    if (saved <= 0) return;
    piece.kept = to;
    excess -= saved;
  };
  /** Cuts all of them, if anything is too much. */
  const cutAll = (among: readonly Piece[], to: number): void => {
    if (excess > 0) for (const piece of among) cut(piece, to);
  };
  /** Cuts one after the other until nothing is too much. */
  const cutEach = (among: readonly Piece[], to: number): void => {
    for (const piece of among) if (excess > 0) cut(piece, to);
  };
  /** Cuts them to fit into this many tokens, the largest most. */
  const share = (among: readonly Piece[], tokens: number): void => {
    let left = tokens;
    const bySize = among.toSorted((one, other) => one.tokens - other.tokens);
    bySize.forEach((piece, index) => {
      const most = Math.floor(left / (bySize.length - index)) - NOTE_TOKENS;
      if (piece.tokens > most) cut(piece, Math.max(least, most));
      left -= Math.min(piece.tokens, piece.kept + NOTE_TOKENS);
    });
  };
  const sumOf = (among: readonly Piece[]): number => among.reduce((sum, { kept }) => sum + kept, 0);
  const inKind = (kind: Piece['kind'], where: (at: number) => boolean): Piece[] =>
    pieces.filter((piece) => piece.kind === kind && where(piece.at));
  const isEarlier = (at: number): boolean => at < lastUserAt;
  const isLastUser = (at: number): boolean => at === lastUserAt;

  const earlierOutputs = inKind('output', isEarlier);
  const earlierFiles = inKind('file', isEarlier);
  const filesByMessage = Object.values(Object.groupBy(earlierFiles, ({ at }) => at));
  const shareEarlier = (tokens: number): void => {
    if (excess > 0) for (const files of filesByMessage) share(files ?? [], tokens);
  };
  // All at once and in large steps, so that the prompt starts the same next time, for servers with a prompt cache.
  shareEarlier(filesShare(limit));
  cutAll(inKind('picture', isEarlier), 0);
  cutAll(earlierOutputs, least);
  for (let most = filesShare(limit) / 2; excess > 0 && most > least; most /= 2) shareEarlier(most);
  cutAll(earlierFiles, least);
  const files = inKind('file', isLastUser);
  if (excess > 0) share(files, filesShare(limit));
  const current = inKind('output', (at) => at > lastUserAt);
  const newest = current.filter(({ at }) => at === current.at(-1)?.at);
  cutEach(
    current.filter((piece) => !newest.includes(piece)),
    least,
  );
  if (excess > 0) share(newest, sumOf(newest) - excess);
  if (excess > 0) share(files, sumOf(files) - excess);
  cutEach(inKind('picture', isLastUser).toReversed(), 0);
  return excess;
}

/** A message with its parts cut. */
function withCuts(
  message: LanguageModelV4Message,
  cuts: ReadonlyMap<object, string>,
): LanguageModelV4Message {
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
    const text = cuts.get(part);
    if (text === undefined) return part;
    return isFilePart(part) ? { type: 'text' as const, text } : { ...part, text };
  });
  return { ...message, content };
}

/** What is sent of a cut piece. `number`: its number for `read_more`; undefined: that isn't there. */
function cutText({ kind, text, tokens, pictures, kept }: Piece, number: number | undefined): string {
  if (kind === 'picture') return '[This picture is left out: there is no room for it.]';
  const most = Math.min(text.length, Math.floor((text.length * kept) / (tokens - pictures)));
  const start = `${text.slice(0, most).toWellFormed()}\n`;
  const how = number === undefined ? '' : ` To read on: ${READ_MORE} {"output":${number},"from":${most}}`;
  return most < text.length
    ? `${start}[Cut here: these are ${most} of ${text.length} characters.${how}]`
    : `${start}[Its pictures are left out: there is no room for them.]`;
}
