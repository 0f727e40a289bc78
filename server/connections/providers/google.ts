import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { countOf, fieldsOf, listOf, textOf } from '../../lib/fields.ts';
import { GREETING, pageOf, type Page, type ProviderRecord } from './provider.ts';

export const GOOGLE: ProviderRecord = {
  headers: (apiKey): Record<string, string> => (apiKey === null ? {} : { 'x-goog-api-key': apiKey }),
  endpoints: /\/models$/,
  versionPath: '/v1beta',
  listPath: '/models?pageSize=1000',
  readPage,
  askForWord: (model) => ({
    path: `/models/${encodeURIComponent(model)}:generateContent`,
    json: {
      contents: [{ role: 'user', parts: [{ text: GREETING }] }],
      generationConfig: { maxOutputTokens: 1 },
    },
  }),
  assumedContextTokens: 128_000,
  rules: { arguments: 'object', thoughts: 'signed' },
  takesPictures: true,
  async load({ modelId, ...settings }) {
    const { createGoogle } = await import('@ai-sdk/google');
    const model = createGoogle(settings)(modelId);
    return { doStream: (options) => model.doStream(withThoughts(options)) };
  },
};

/** Google's models send their reasoning only on request. */
function withThoughts(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { reasoning = 'none', providerOptions } = options;
  if (reasoning === 'none' || reasoning === 'provider-default') return options;
  return {
    ...options,
    providerOptions: { ...providerOptions, google: { thinkingConfig: { includeThoughts: true } } },
  };
}

function readPage(json: unknown): Page | null {
  const { models: list, nextPageToken } = fieldsOf(json);
  const token = textOf(nextPageToken);
  return pageOf(
    list,
    (model) => {
      const name = textOf(model['name']);
      const methods = listOf(model['supportedGenerationMethods']);
      if (name === null || methods?.includes('generateContent') === false) return null;
      return { id: name.replace(/^models\//, ''), contextTokens: countOf(model['inputTokenLimit']) };
    },
    token && `&pageToken=${encodeURIComponent(token)}`,
  );
}
