import { askToChat, bearer, CHAT_ENDPOINTS, readTellingPage } from './openai-format.ts';
import type { ProviderRecord } from './provider.ts';

export const MISTRAL: ProviderRecord = {
  headers: bearer,
  endpoints: CHAT_ENDPOINTS,
  versionPath: '/v1',
  listPath: '/models',
  readPage: readTellingPage,
  askForWord: askToChat({ max_tokens: 1 }),
  assumedContextTokens: 128_000,
  takesPictures: false,
  async load({ modelId, ...settings }) {
    const { createMistral } = await import('@ai-sdk/mistral');
    return createMistral(settings)(modelId);
  },
};
