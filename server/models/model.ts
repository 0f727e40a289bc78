import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';

/** What turns use of the AI SDK's interface of language models. Leaving the stream ends the request. */
export interface StreamingModel {
  doStream(
    options: LanguageModelV4CallOptions,
  ): PromiseLike<{ stream: AsyncIterable<LanguageModelV4StreamPart> }>;
}

/** Usage in the AI SDK's terms, as far as it is known. */
export const usageOf = (input?: number, output?: number): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: undefined, reasoning: undefined },
});
