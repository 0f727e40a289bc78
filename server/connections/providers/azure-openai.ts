import { fieldsOf, listOf } from '../../lib/fields.ts';
import { OPENAI } from './openai.ts';
import type { ProviderRecord } from './provider.ts';

/**
 * OpenAI's format at the user's own Azure resource, with the API that needs no `api-version` (Microsoft's "Azure OpenAI
 * v1 API").
 */
export const AZURE_OPENAI: ProviderRecord = {
  ...OPENAI,
  headers: (apiKey): Record<string, string> => (apiKey === null ? {} : { 'api-key': apiKey }),
  versionPath: '/openai/v1',
  readPage: (json) => (listOf(fieldsOf(json)['data']) === null ? null : { models: [], next: null }),
  namesDeployments: true,
};
