import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { addressOf } from '../connections/providers.ts';
import type { ModelAccess } from '../connections/model-access.ts';

/** A model of an Ollama server. */
export async function createOllamaModel(
  access: ModelAccess,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const { createOllama } = await import('ollama-ai-provider-v2');
  const headers = access.apiKey === null ? {} : { authorization: `Bearer ${access.apiKey}` };
  const model = createOllama({ baseURL: `${addressOf(access)}/api`, headers, fetch })(access.modelId);
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(withContext(options, access)),
    doStream: (options) => model.doStream(withContext(options, access)),
  };
}

/** Without a number of its own a server reads less than is reckoned with, and drops the rest in silence. */
const withContext = (
  options: LanguageModelV4CallOptions,
  { contextTokens }: ModelAccess,
): LanguageModelV4CallOptions =>
  contextTokens === undefined
    ? options
    : {
        ...options,
        providerOptions: { ...options.providerOptions, ollama: { options: { num_ctx: contextTokens } } },
      };
