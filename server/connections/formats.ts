/**
 * What model servers are asked, and how they answer, as far as listing and testing go. Sources: the providers' own
 * references (OpenAI `GET /v1/models`, Anthropic `GET /v1/models`, Gemini `models.list`, Ollama `docs/api.md`, OpenRouter
 * "Models API"), and what llama.cpp, vLLM and LM Studio answer.
 */
import type { Provider } from '../../shared/api/connection.ts';
import type { ListedModel } from '../store/connection-repository.ts';
import type { Server } from './list-models.ts';
import { countOf, fieldsOf, listOf, textOf, type Fields } from './json.ts';

/** One page of a list of models. */
export interface Page {
  models: ListedModel[];
  /** What to add to the query for the next page; null: this is the last. */
  next: string | null;
}

/** How the servers of a provider are spoken to. Paths begin behind the address of the connection. */
export interface Format {
  headers: (apiKey: string | null) => Record<string, string>;
  listPath: string;
  /** Null: that is no list of models. */
  readPage: (json: unknown) => Page | null;
  /** Asks the model for a word, as short as it can be. */
  askForWord: (modelId: string) => { path: string; json: unknown };
}

const GREETING = 'Say hi.';
const MAX_ID_CHARACTERS = 300;
const CONTROLS = /\p{Cc}/u;

const bearer: Format['headers'] = (apiKey) => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` });

const isModelId = (id: string): boolean =>
  id.length <= MAX_ID_CHARACTERS && id.trim() !== '' && !CONTROLS.test(id);

/** The models that `read` finds in a list; it gives null for what no chat can use. */
function modelsOf(list: readonly unknown[], read: (fields: Fields) => ListedModel | null): ListedModel[] {
  return list.flatMap((entry) => {
    const model = read(fieldsOf(entry));
    return model !== null && isModelId(model.id) ? [model] : [];
  });
}

/** OpenAI says of no model what it can do, but these ids say themselves that chatting isn't it. */
const NOT_FOR_CHATS =
  /embedding|whisper|tts|dall-e|moderation|image|transcribe|realtime|audio|sora|^babbage|^davinci|instruct/;

function readOpenAiPage(json: unknown): Page | null {
  const list = listOf(fieldsOf(json)['data']);
  if (list === null) return null;
  const models = modelsOf(list, ({ id }) => {
    const name = textOf(id);
    return name === null || (NOT_FOR_CHATS.test(name) && !name.startsWith('ft:'))
      ? null
      : { id: name, contextTokens: null };
  });
  return { models, next: null };
}

const OTHER_TYPES = [
  'embedding',
  'embeddings',
  'image',
  'audio',
  'moderation',
  'rerank',
  'transcribe',
  'video',
];

/** Servers tell more than OpenAI does, each in its own way: what a model is for, and how much it reads. */
function readCompatiblePage(json: unknown): Page | null {
  const list = listOf(json) ?? listOf(fieldsOf(json)['data']);
  if (list === null) return null;
  const models = modelsOf(list, (model) => {
    const id = textOf(model['id']);
    const outputs = listOf(fieldsOf(model['architecture'])['output_modalities']);
    const isOther =
      OTHER_TYPES.includes(String(model['type'])) ||
      model['active'] === false ||
      fieldsOf(model['capabilities'])['completion_chat'] === false ||
      (outputs !== null && !outputs.includes('text'));
    if (id === null || isOther) return null;
    const meta = fieldsOf(model['meta']);
    const contextTokens = countOf(
      model['context_length'],
      model['max_model_len'],
      model['context_window'],
      model['max_context_length'],
      meta['n_ctx'],
      meta['n_ctx_train'],
    );
    return { id, contextTokens };
  });
  return { models, next: null };
}

function readAnthropicPage(json: unknown): Page | null {
  const { data, has_more: hasMore, last_id: lastId } = fieldsOf(json);
  const list = listOf(data);
  if (list === null) return null;
  const models = modelsOf(list, (model) => {
    const id = textOf(model['id']);
    return id === null ? null : { id, contextTokens: countOf(model['max_input_tokens']) };
  });
  const last = textOf(lastId);
  return { models, next: hasMore === true && last !== null ? `&after_id=${encodeURIComponent(last)}` : null };
}

function readGooglePage(json: unknown): Page | null {
  const { models: list, nextPageToken } = fieldsOf(json);
  const entries = listOf(list);
  if (entries === null) return null;
  const models = modelsOf(entries, (model) => {
    const name = textOf(model['name']);
    const methods = listOf(model['supportedGenerationMethods']);
    if (name === null || methods?.includes('generateContent') === false) return null;
    return { id: name.replace(/^models\//, ''), contextTokens: countOf(model['inputTokenLimit']) };
  });
  const token = textOf(nextPageToken);
  return { models, next: token === null ? null : `&pageToken=${encodeURIComponent(token)}` };
}

function readOllamaPage(json: unknown): Page | null {
  const list = listOf(fieldsOf(json)['models']);
  if (list === null) return null;
  const models = modelsOf(list, (model) => {
    const id = textOf(model['model']) ?? textOf(model['name']);
    return id === null ? null : { id, contextTokens: null };
  });
  return { models, next: null };
}

const message = { role: 'user', content: GREETING };

/** What a request to a server carries. */
export function headersFor({ provider, apiKey, headers = {} }: Server): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...FORMATS[provider].headers(apiKey), ...Object.fromEntries(own) };
}

/** How each provider is spoken to. */
export const FORMATS: Readonly<Record<Provider, Format>> = {
  openai_compatible: {
    headers: bearer,
    listPath: '/models',
    readPage: readCompatiblePage,
    askForWord: (model) => ({
      path: '/chat/completions',
      json: { model, messages: [message], max_tokens: 1, stream: false },
    }),
  },
  openai: {
    headers: bearer,
    listPath: '/models',
    readPage: readOpenAiPage,
    askForWord: (model) => ({
      path: '/chat/completions',
      json: { model, messages: [message], max_completion_tokens: 16, stream: false },
    }),
  },
  anthropic: {
    headers: (apiKey) => ({
      'anthropic-version': '2023-06-01',
      ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
    }),
    listPath: '/models?limit=1000',
    readPage: readAnthropicPage,
    askForWord: (model) => ({ path: '/messages', json: { model, max_tokens: 1, messages: [message] } }),
  },
  google: {
    headers: (apiKey): Record<string, string> => (apiKey === null ? {} : { 'x-goog-api-key': apiKey }),
    listPath: '/models?pageSize=1000',
    readPage: readGooglePage,
    askForWord: (model) => ({
      path: `/models/${encodeURIComponent(model)}:generateContent`,
      json: {
        contents: [{ role: 'user', parts: [{ text: GREETING }] }],
        generationConfig: { maxOutputTokens: 1 },
      },
    }),
  },
  ollama: {
    headers: bearer,
    listPath: '/api/tags',
    readPage: readOllamaPage,
    askForWord: (model) => ({
      path: '/api/chat',
      json: { model, messages: [message], stream: false, options: { num_predict: 1 } },
    }),
  },
};
