/** What servers with OpenAI's chat completions API have in common. Sources: OpenAI's reference, and what llama.cpp, vLLM and LM Studio answer. */
import { countOf, fieldsOf, listOf, textOf } from '../../lib/fields.ts';
import { abilitiesIn } from '../sees-pictures.ts';
import { GREETING, pageOf, type Page, type ProviderRecord } from './provider.ts';

export const bearer: ProviderRecord['headers'] = (apiKey) =>
  apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };

/** Asks for a word within a few tokens, under the server's name for that limit. */
export const askToChat =
  (limit: Record<string, number>): ProviderRecord['askForWord'] =>
  (model) => ({
    path: '/chat/completions',
    json: { model, messages: [{ role: 'user', content: GREETING }], ...limit, stream: false },
  });

/** Most of what a record of such a server says; the rest differs from server to server. */
export const OPENAI_FORMAT = {
  headers: bearer,
  endpoints: /\/(?:chat\/completions|completions|responses|models)$/,
  versionPath: '/v1',
  listPath: '/models',
  readPage: readModelPage,
  askForWord: askToChat({ max_tokens: 1 }),
  takesPictures: false,
} satisfies Partial<ProviderRecord>;

/** Begins a signature that holds OpenRouter's `reasoning_details`, which go back beside the calls; the library keeps only signatures. */
export const REASONING_DETAILS = 'reasoning_details:';

const OTHER_TYPES = /^(?:embeddings?|image|audio|moderation|rerank|transcribe|video)$/;

/** Many servers report more than OpenAI, each in its own way: what a model is for, and its context size. */
function readModelPage(json: unknown): Page | null {
  const { models, data = models } = fieldsOf(json);
  return pageOf(listOf(json) ?? data, (model) => {
    const outputs = listOf(fieldsOf(model['architecture'])['output_modalities']);
    const isOther =
      OTHER_TYPES.test(String(model['type'])) ||
      model['active'] === false ||
      fieldsOf(model['capabilities'])['completion_chat'] === false ||
      (outputs !== null && !outputs.includes('text'));
    if (isOther) return null;
    const meta = fieldsOf(model['meta']);
    const contextTokens = countOf(
      model['loaded_context_length'],
      model['context_length'],
      model['max_model_len'],
      model['context_window'],
      model['max_context_length'],
      meta['n_ctx'],
      meta['n_ctx_train'],
    );
    const id = textOf(model['id']) ?? textOf(model['model']) ?? textOf(model['name']);
    return { id, contextTokens, ...abilitiesIn(model) };
  });
}
