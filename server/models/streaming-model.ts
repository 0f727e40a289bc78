import type { LanguageModelV4, LanguageModelV4Usage } from '@ai-sdk/provider';

/** A model in the AI SDK's terms; Parley streams every answer, so there is no other way to ask it. */
export const streamingModel = (
  provider: string,
  modelId: string,
  doStream: LanguageModelV4['doStream'],
): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider,
  modelId,
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('Answers are streamed.')),
  doStream,
});

/** Usage in the AI SDK's terms, as far as it is known. */
export const usageOf = (input?: number, output?: number): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: undefined, reasoning: undefined },
});
