/** Makes each request to a turn's model fit its context; see fit-request.ts. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ToolSet } from 'ai';
import type { ModelAccess } from '../../connections/model-access.ts';
import { RECORDS } from '../../connections/providers/index.ts';
import { ModelError } from '../../models/model-error.ts';
import { streamingModel } from '../../models/streaming-model.ts';
import { fitRequest, READ_MORE, type FittedRequest } from './fit-request.ts';
import { describeTooLong } from './too-long-words.ts';
import { checkedSchema } from './tool-kit.ts';

/** Dependencies. */
interface FittedModelDeps {
  model: LanguageModelV4;
  /** Null: a built-in model, which has no limit. */
  access: ModelAccess | null;
  /** Tokens of the agent's instructions. */
  instructions: number;
  /** Input tokens that the model reported for the last round; undefined: none. */
  readTokens: () => number | undefined;
}

/** A model whose requests fit its context. */
interface FittedModel {
  model: LanguageModelV4;
  /** With a limit: `read_more`, which reads on where an output or file was cut. It is only offered while something is cut. */
  tools: ToolSet;
  /** Estimated tokens of the last request; null: there was none, or the model has no limit. */
  tokens: () => number | null;
}

type Answer = Awaited<ReturnType<LanguageModelV4['doStream']>>;

const MAX_TRIES = 3;
const MAX_SCALE = 3;
/** A model that refuses a request as too long, without giving its limit, next gets this share of it. */
const NEXT_SHARE = 0.6;
/** A piece that `read_more` returns takes about a fifth of the model's context. */
const PIECE_CHARACTERS_A_TOKEN = 0.6;

interface Place {
  output: number;
  from: number;
}

const PLACE = checkedSchema<Place>({
  type: 'object',
  properties: { output: { type: 'integer', minimum: 1 }, from: { type: 'integer', minimum: 0 } },
  required: ['output', 'from'],
});

/** Wraps a turn's model. */
export function createFittedModel(deps: FittedModelDeps): FittedModel {
  const { model, access, instructions } = deps;
  if (access === null) {
    return { model, tools: {}, tokens: () => null };
  }
  let limit = access.contextTokens ?? RECORDS[access.provider].assumedContextTokens;
  let scale = 1;
  let last: FittedRequest | null = null;

  const doStream = async (options: LanguageModelV4CallOptions): Promise<Answer> => {
    const fit = (): FittedRequest => fitRequest(options, { limit, instructions, scale });
    const read = deps.readTokens();
    // The tokens reported for the last round show how good the estimate is.
    if (read !== undefined && last !== null)
      scale = Math.min(MAX_SCALE, Math.max(scale, (read / last.tokens) * scale));
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

  const readMore = ({ output, from }: Place): unknown => {
    const text = last?.outputs[output - 1];
    if (text === undefined) throw new Error(`There is no output ${output} here.`);
    if (from >= text.length) throw new Error(`Output ${output} has ${text.length} characters only.`);
    const to = Math.min(text.length, from + Math.floor(limit * PIECE_CHARACTERS_A_TOKEN));
    return { output, from, to, of: text.length, text: text.slice(from, to).toWellFormed() };
  };
  const description =
    'Gives the next piece of a tool’s output, or of a file, that was cut. The note where it was cut says with what.';

  return {
    model: streamingModel(model.provider, model.modelId, doStream),
    tools: { [READ_MORE]: { description, inputSchema: PLACE, execute: readMore } },
    tokens: () => last?.tokens ?? null,
  };
}

const sizeOf = ({ options }: FittedRequest): number => JSON.stringify(options).length;
