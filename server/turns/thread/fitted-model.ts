/** Makes each request to a turn's model fit its context; see fit-request.ts. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { RECORDS } from '../../connections/providers/index.ts';
import type { ModelAccess } from '../../connections/model-access.ts';
import { ModelError } from '../../models/model-error.ts';
import { readingMs } from '../../models/patience.ts';
import { fitRequest, type FittedRequest } from './fit-request.ts';
import { describeTooLong } from './too-long-words.ts';
import { withToolNames } from '../../tools/tool-names.ts';

/** Dependencies. */
export interface FittedModelDeps {
  model: LanguageModelV4;
  /** Null: a built-in model, which has no limit. */
  access: ModelAccess | null;
  /** Tokens of the agent's instructions. */
  instructions: number;
  /** Input tokens that the model reported for the last round; undefined: none. */
  readTokens: () => number | undefined;
  /** Called every second while the model is presumably still reading. */
  onReading: () => void;
}

/** A model whose requests fit its context. */
export interface FittedModel {
  model: LanguageModelV4;
  /** Estimated tokens of the last request, 0 for a model without a limit; null: none yet. */
  tokens: () => number | null;
  /** Tool outputs and file texts of the last request, uncut. */
  outputs: () => readonly string[];
  /** How many tokens the model is assumed to read. */
  limit: () => number;
}

type Answer = Awaited<ReturnType<LanguageModelV4['doStream']>>;

const MAX_TRIES = 3;
const MAX_SCALE = 3;
/** A model that refuses a request as too long, without giving its limit, next gets this share of it. */
const NEXT_SHARE = 0.6;
const READING_TICK_MS = 1_000;

/** Wraps a turn's model. */
export function createFittedModel(deps: FittedModelDeps): FittedModel {
  const { model, access, instructions } = deps;
  let limit =
    access === null ? Infinity : (access.contextTokens ?? RECORDS[access.provider].assumedContextTokens);
  let scale = 1;
  let last: FittedRequest | null = null;

  const fit = (options: LanguageModelV4CallOptions): FittedRequest =>
    fitRequest({ ...options, prompt: withToolNames(options.prompt) }, { limit, instructions, scale });

  async function ask(fitted: FittedRequest): Promise<Answer> {
    const startedAt = performance.now();
    const untilMs = access === null ? 0 : readingMs(access.provider, fitted.tokens);
    const timer = setInterval(() => {
      if (performance.now() - startedAt < untilMs) deps.onReading();
    }, READING_TICK_MS);
    try {
      return await model.doStream(fitted.options);
    } finally {
      clearInterval(timer);
    }
  }

  async function doStream(options: LanguageModelV4CallOptions): Promise<Answer> {
    if (access === null) {
      last = { options: { ...options, prompt: withToolNames(options.prompt) }, outputs: [], tokens: 0 };
      return model.doStream(last.options);
    }
    const read = deps.readTokens();
    // The tokens reported for the last round show how good the estimate is.
    if (read !== undefined && last !== null)
      scale = Math.min(MAX_SCALE, Math.max(scale, (read / last.tokens) * scale));
    let fitted = fit(options);
    for (let tries = 1; ; tries += 1) {
      last = fitted;
      try {
        return await ask(fitted);
      } catch (error) {
        if (!(error instanceof ModelError) || error.tooLong === undefined) throw error;
        const { readsTokens } = error.tooLong;
        const before = fitted.tokens;
        limit = Math.min(limit, readsTokens ?? before * NEXT_SHARE);
        scale = Math.min(MAX_SCALE, Math.max(scale, (scale * (error.tooLong.hadTokens ?? 0)) / before));
        const shorter = fit(options);
        if (
          tries === MAX_TRIES ||
          JSON.stringify(shorter.options).length >= JSON.stringify(fitted.options).length
        ) {
          throw new ModelError(
            'context_too_long',
            describeTooLong(access, fitted.options, { ...error.tooLong, instructions }),
          );
        }
        fitted = shorter;
      }
    }
  }

  return {
    model: {
      specificationVersion: model.specificationVersion,
      provider: model.provider,
      modelId: model.modelId,
      supportedUrls: model.supportedUrls,
      doGenerate: (options) => model.doGenerate(options),
      doStream,
    },
    tokens: () => last?.tokens ?? null,
    outputs: () => last?.outputs ?? [],
    limit: () => limit,
  };
}
