import type { LanguageModelV4 } from '@ai-sdk/provider';
import { addressOf } from '../connections/providers.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { createModelFetch } from './model-fetch.ts';
import { createOllamaModel } from './ollama-model.ts';
import type { OnReport } from './reports.ts';

/**
 * The library model for a connection. Each provider's library is read when its first turn needs it, so that the agents'
 * thread holds only what its person has connected. Addresses and keys are always given: what is left out, the libraries
 * would look for in the environment. `onReport` is told of errors within good answers.
 */
export async function loadProviderModel(access: ModelAccess, onReport: OnReport): Promise<LanguageModelV4> {
  const { provider, modelId } = access;
  const baseURL = addressOf(access);
  const apiKey = access.apiKey ?? '';
  const fetch = createModelFetch(access, onReport);
  switch (provider) {
    case 'openai_compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ name: 'connection', baseURL, apiKey, fetch, includeUsage: true })(
        modelId,
      );
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      // The other format, responses, keeps conversations on OpenAI's servers unless told not to.
      return createOpenAI({ baseURL, apiKey, fetch }).chat(modelId);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch })(modelId);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL, apiKey, fetch })(modelId);
    }
    case 'ollama':
      return createOllamaModel(access, fetch);
  }
}
