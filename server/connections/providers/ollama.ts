import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import PQueue from 'p-queue';
import type { ListedModel } from '../../store/connection-repository.ts';
import { requestJson } from '../../net/request-json.ts';
import { parseExactly } from '../../lib/exact-json.ts';
import { countOf, fieldsOf, listOf, textOf } from '../../lib/fields.ts';
import { bearer } from './openai-format.ts';
import {
  GREETING,
  pageOf,
  type LoadedModel,
  type ProviderSettings,
  type Page,
  type ProviderRecord,
  type ServerInView,
} from './provider.ts';

export const OLLAMA: ProviderRecord = {
  headers: bearer,
  endpoints: /\/(?:api|v1)$/,
  versionPath: '',
  listPath: '/api/tags',
  readPage,
  addDetails,
  askForWord: (model) => ({
    path: '/api/chat',
    json: {
      model,
      messages: [{ role: 'user', content: GREETING }],
      stream: false,
      options: { num_predict: 1 },
    },
  }),
  assumedContextTokens: 32_000,
  rules: { arguments: 'object', thoughts: 'any', hasPicturesApart: true },
  takesPictures: false,
  load,
};

/** Ollama describes only one model per request; this is for how many, and how many at once. */
const MAX_DETAILED = 200;
const AT_ONCE = 4;

/**
 * Ollama reads only about 4,000 tokens by default and silently drops the rest; a model's full context (often 128,000)
 * takes many gigabytes of memory. So each turn asks for this many, or for the model's own size if that is smaller, and
 * Parley's estimates use the same. For another number, create the model with its own `num_ctx`.
 */
const USUAL_CONTEXT_TOKENS = 16_384;

function readPage(json: unknown): Page | null {
  return pageOf(fieldsOf(json)['models'], (model) => ({
    id: textOf(model['model']) ?? textOf(model['name']),
    contextTokens: null,
  }));
}

/** Adds context sizes, and drops models that aren't for chats. What doesn't arrive in time stays unknown. */
async function addDetails(models: ListedModel[], server: ServerInView): Promise<ListedModel[]> {
  const deadline = performance.now() + server.limits.wholeMs;
  const queue = new PQueue({ concurrency: AT_ONCE });
  const detailed = await queue.addAll(
    models.map((model, index) => async () => {
      const wholeMs = deadline - performance.now();
      if (index >= MAX_DETAILED || wholeMs <= 0) return model;
      return detail(model, { ...server, limits: { ...server.limits, wholeMs } });
    }),
  );
  return detailed.filter((model) => model !== null);
}

async function detail(
  model: ListedModel,
  { address, headers, limits }: ServerInView,
): Promise<ListedModel | null> {
  const answer = await requestJson({
    url: `${address}/api/show`,
    headers,
    json: { model: model.id },
    limits,
  });
  if (answer.state !== 'answered' || answer.status !== 200) return model;
  const { capabilities, parameters, model_info: info } = fieldsOf(answer.json);
  const abilities = listOf(capabilities);
  if (abilities?.includes('completion') === false) return null;
  const facts = fieldsOf(info);
  const architecture = textOf(facts['general.architecture']);
  const longest = countOf(facts[`${architecture ?? ''}.context_length`]);
  const usual = longest === null ? null : Math.min(longest, USUAL_CONTEXT_TOKENS);
  return {
    ...model,
    contextTokens: countOf(setContext(parameters)) ?? usual,
    ...(abilities !== null && {
      pictures: abilities.includes('vision'),
      tools: abilities.includes('tools'),
      reasoning: abilities.includes('thinking'),
    }),
  };
}

/** The context size set for the model, which can be less than its maximum. */
function setContext(parameters: unknown): number | null {
  const [, count] = /^num_ctx\s+(\d+)\s*$/m.exec(textOf(parameters) ?? '') ?? [];
  return count === undefined ? null : Number(count);
}

async function load({ baseURL, modelId, contextTokens, fetch }: ProviderSettings): Promise<LoadedModel> {
  const { createOllama } = await import('ollama-ai-provider-v2');
  return {
    doStream(options) {
      const think = thinkOf(options.reasoning, modelId);
      const fetchThinking: typeof fetch = (input, init) => fetch(input, withThink(init, think));
      const model = createOllama({ baseURL: `${baseURL}/api`, fetch: fetchThinking })(modelId);
      return model.doStream(inOllamasTerms(options, contextTokens));
    },
  };
}

type Think = boolean | 'low' | 'medium' | 'high';
const LEVELS: Readonly<Record<string, Think>> = { minimal: 'low', low: 'low', medium: 'medium' };

/** Ollama's `think`; undefined: the model decides. Only gpt-oss knows levels, and Ollama refuses them for other models. */
function thinkOf(reasoning: LanguageModelV4CallOptions['reasoning'], modelId: string): Think | undefined {
  if (reasoning === undefined || reasoning === 'provider-default') return undefined;
  if (reasoning === 'none' || !/gpt-?oss/i.test(modelId)) return reasoning !== 'none';
  return LEVELS[reasoning] ?? 'high';
}

/** The request with that, since the library only knows on and off, and off where nothing is said. */
function withThink(init: RequestInit | undefined, think: Think | undefined): RequestInit | undefined {
  if (typeof init?.body !== 'string') return init;
  return { ...init, body: JSON.stringify({ ...fieldsOf(parseExactly(init.body)), think }) };
}

/** Ollama expects settings in `options`, where the library doesn't put them. Without a context size it silently drops what is beyond its own. */
function inOllamasTerms(
  { temperature, topP, maxOutputTokens, stopSequences, seed, ...options }: LanguageModelV4CallOptions,
  contextTokens: number | undefined,
): LanguageModelV4CallOptions {
  const heeded = {
    ...(contextTokens !== undefined && { num_ctx: contextTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
    ...(stopSequences !== undefined && { stop: stopSequences }),
    ...(seed !== undefined && { seed }),
  };
  if (Object.keys(heeded).length === 0) return options;
  return { ...options, providerOptions: { ...options.providerOptions, ollama: { options: heeded } } };
}
