import type { LanguageModelV4 } from '@ai-sdk/provider';

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
