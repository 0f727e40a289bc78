import { countOf, fieldsOf, textOf } from '../../lib/fields.ts';
import { abilitiesIn } from '../sees-pictures.ts';
import { GREETING, pageOf, type Page, type ProviderRecord } from './provider.ts';

export const ANTHROPIC: ProviderRecord = {
  headers: (apiKey) => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
  }),
  endpoints: /\/(?:messages|models)$/,
  versionPath: '/v1',
  listPath: '/models?limit=1000',
  readPage,
  askForWord: (model) => ({
    path: '/messages',
    json: { model, max_tokens: 1, messages: [{ role: 'user', content: GREETING }] },
  }),
  assumedContextTokens: 200_000,
  unknownModelWrites: 32_000,
  rules: { arguments: 'object', thoughts: 'signed', thinksBeforeCalls: true },
  takesPictures: true,
  async load({ modelId, ...settings }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic(settings)(modelId);
  },
};

function readPage(json: unknown): Page | null {
  const { data, has_more: hasMore, last_id: lastId } = fieldsOf(json);
  const last = hasMore === true ? textOf(lastId) : null;
  return pageOf(
    data,
    (model) => ({
      id: textOf(model['id']),
      contextTokens: countOf(model['max_input_tokens']),
      ...abilitiesIn(model),
    }),
    last && `&after_id=${encodeURIComponent(last)}`,
  );
}
