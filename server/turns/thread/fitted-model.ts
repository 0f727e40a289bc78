/** Makes each request to a turn's model fit its context; see fit-request.ts. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { Type, type Static } from 'typebox';
import { count } from '../../../shared/numbers.ts';
import type { ModelAccess } from '../../connections/model-access.ts';
import { RECORDS } from '../../connections/providers/index.ts';
import type { StreamingModel } from '../../models/model.ts';
import { ModelError, type TooLong } from '../../models/model-error.ts';
import { quote } from '../../models/model-fault-words.ts';
import { messageTokens, offeredTokens } from '../../models/request-size.ts';
import { fitRequest, READ_MORE, type FittedRequest } from './fit-request.ts';
import type { CallOutcome } from '../../agents/call-tool.ts';
import { offerOf, type ModelTool } from './tool-kit.ts';

/** Dependencies. */
interface FittedModelDeps {
  model: StreamingModel;
  /** Null: a built-in model, which has no limit. */
  access: ModelAccess | null;
  /** Tokens of the agent's instructions. */
  instructions: number;
}

const MAX_TRIES = 3;
const MAX_SCALE = 3;
/** A model that refuses a request as too long, without giving its limit, next gets this share of it. */
const NEXT_SHARE = 0.6;
/** A piece that `read_more` returns takes about a fifth of the model's context. */
const PIECE_CHARACTERS_A_TOKEN = 0.6;

/** Where `read_more` reads on. */
const POSITION = Type.Object({ output: Type.Integer({ minimum: 1 }), from: Type.Integer({ minimum: 0 }) });

/** A turn's model, asked with requests that fit its context. */
export interface FittedModel {
  ask: (
    options: LanguageModelV4CallOptions,
    readTokens: number | undefined,
  ) => ReturnType<StreamingModel['doStream']>;
  /** Reads on where an output or file was cut. It is only offered while something is cut. */
  tools: ModelTool[];
  /** Estimated tokens of the last request; null: there was none, or no need to estimate. */
  tokens: () => number | null;
}

/** Wraps a turn's model, so that its requests fit its context. */
export function createFittedModel({ model, access, instructions }: FittedModelDeps): FittedModel {
  if (access === null) return { ask: (options) => model.doStream(options), tools: [], tokens: () => null };
  let limit = access.contextTokens ?? RECORDS[access.provider].assumedContextTokens;
  let scale = 1;
  let last: FittedRequest | null = null;

  const ask: FittedModel['ask'] = async (options, readTokens) => {
    const fit = (): FittedRequest => fitRequest(options, { limit, instructions, scale });
    // The tokens reported for the last round show how good the estimate is.
    if (readTokens !== undefined && last !== null)
      scale = Math.min(MAX_SCALE, Math.max(scale, (readTokens / last.tokens) * scale));
    let fitted = fit();
    for (let tries = 1; ; tries += 1) {
      last = fitted;
      try {
        return await model.doStream(fitted.options);
      } catch (error) {
        if (!(error instanceof ModelError) || error.tooLong === undefined) throw error;
        const { readsTokens, hadTokens } = error.tooLong;
        limit = Math.min(limit, readsTokens ?? fitted.tokens * NEXT_SHARE);
        scale = Math.min(MAX_SCALE, Math.max(scale, (scale * (hadTokens ?? 0)) / fitted.tokens));
        const shorter = fit();
        if (tries === MAX_TRIES || sizeOf(shorter) >= sizeOf(fitted)) {
          const message = describeTooLong(access, fitted.options, { ...error.tooLong, instructions });
          throw new ModelError('context_too_long', message);
        }
        fitted = shorter;
      }
    }
  };

  const readMore = ({ output, from }: Static<typeof POSITION>): CallOutcome => {
    const text = last?.outputs[output - 1];
    if (text === undefined) throw new Error(`There is no output ${output} here.`);
    if (from >= text.length) throw new Error(`Output ${output} has ${count(text.length, 'character')} only.`);
    const to = Math.min(text.length, from + Math.floor(limit * PIECE_CHARACTERS_A_TOKEN));
    return { output: { output, from, to, of: text.length, text: text.slice(from, to).toWellFormed() } };
  };
  const description =
    'Gives the next piece of a tool’s output, or of a file, that was cut. The note where it was cut says with what.';

  const tool = offerOf({ name: READ_MORE, description, input: POSITION });
  return {
    ask,
    tools: [{ ...tool, run: (input) => readMore(input as Static<typeof POSITION>) }],
    tokens: () => last?.tokens ?? null,
  };
}

const sizeOf = ({ options }: FittedRequest): number => JSON.stringify(options).length;

/** What a request consists of: the name of each part, and what to do if it is the largest. */
const PARTS = {
  message: ['your message', 'Send it in smaller parts'],
  history: ['earlier messages', 'Begin a new chat'],
  outputs: ['what tools gave', 'Ask for less at a time'],
  tools: ['tools', 'Give this agent fewer tools in Settings, Agents'],
  instructions: ['instructions', 'Shorten the instructions of this agent in Settings, Agents'],
} as const;

type PartName = keyof typeof PARTS;

/** Why a request was too long for its model: the size of its parts, and what to do about the largest. */
function describeTooLong(
  { modelId, contextTokens }: ModelAccess,
  options: LanguageModelV4CallOptions,
  { quoted: refusal, readsTokens, instructions }: TooLong & { instructions: number },
): string {
  const sizes = Object.entries(partsOf(options, instructions)) as [PartName, number][];
  sizes.sort(([, one], [, other]) => other - one);
  const [largest] = sizes[0] ?? ['history'];
  const total = sizes.reduce((sum, [, tokens]) => sum + tokens, 0);
  const limit = readsTokens ?? contextTokens ?? null;
  const reads = limit === null ? 'can read' : `can read: ${rounded(limit)} tokens`;
  const listed = sizes
    .filter(([, tokens]) => tokens > 0)
    .map(([name, tokens]) => `${PARTS[name][0]} ${rounded(tokens)}`)
    .join(', ');
  return `This is longer than “${modelId}” ${reads}${quote(refusal)}. It is about ${rounded(total)} tokens: ${listed}. ${PARTS[largest][1]}, or choose a model that reads more.`;
}

/** The size of each part in tokens. */
function partsOf(
  { prompt, tools = [] }: LanguageModelV4CallOptions,
  instructions: number,
): Record<PartName, number> {
  const lastUserAt = prompt.findLastIndex(({ role }) => role === 'user');
  const parts = {
    message: 0,
    history: 0,
    outputs: 0,
    tools: tools.reduce((sum, tool) => sum + offeredTokens(tool), 0),
    instructions,
  };
  prompt.forEach((message, at) => {
    const tokens = messageTokens(message);
    // A summary of earlier messages is part of the system message.
    if (message.role === 'system') parts.history += Math.max(0, tokens - instructions);
    else if (at === lastUserAt) parts.message += tokens;
    else if (at > lastUserAt) parts.outputs += tokens;
    else parts.history += tokens;
  });
  return parts;
}

const rounded = (tokens: number): string => Math.round(tokens).toLocaleString('en');
