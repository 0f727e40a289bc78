/** OpenAI, and hosted providers with its format. */
import { fieldsOf, textOf } from '../../lib/fields.ts';
import { askToChat, OPENAI_FORMAT } from './openai-format.ts';
import { pageOf, type Page, type ProviderRecord } from './provider.ts';

export const OPENAI: ProviderRecord = {
  ...OPENAI_FORMAT,
  readPage,
  askForWord: askToChat({ max_completion_tokens: 16 }),
  assumedContextTokens: 128_000,
  rules: { arguments: 'text', thoughts: 'none', hasThoughtsApart: true },
  async load({ modelId, ...settings }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    // The other format, responses, keeps conversations on OpenAI's servers unless told not to.
    return createOpenAI(settings).chat(modelId);
  },
};

/** OpenAI doesn't say what its models can do, but these ids show that they aren't for chats. */
const NOT_FOR_CHATS =
  /embedding|whisper|tts|dall-e|moderation|image|transcribe|realtime|audio|sora|^babbage|^davinci|instruct/;

function readPage(json: unknown): Page | null {
  return pageOf(fieldsOf(json)['data'], ({ id }) => {
    const name = textOf(id) ?? '';
    return NOT_FOR_CHATS.test(name) && !name.startsWith('ft:') ? null : { id: name, contextTokens: null };
  });
}

/** OpenAI's format at the user's own Azure resource, with the API that needs no `api-version`. */
export const AZURE_OPENAI: ProviderRecord = {
  ...OPENAI,
  headers: (apiKey): Record<string, string> => (apiKey === null ? {} : { 'api-key': apiKey }),
  versionPath: '/openai/v1',
  readPage: (json) => pageOf(fieldsOf(json)['data'], () => null),
  namesDeployments: true,
};

export const MISTRAL: ProviderRecord = {
  ...OPENAI_FORMAT,
  assumedContextTokens: 128_000,
  rules: { arguments: 'text', thoughts: 'own', answersResults: true },
  async load({ modelId, ...settings }) {
    const { createMistral } = await import('@ai-sdk/mistral');
    return createMistral(settings)(modelId);
  },
};
