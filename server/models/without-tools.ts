import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';

/** The same call for a model that can't use tools: no tools are offered, and earlier calls and results are left out. */
export function withoutTools(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const without = { ...options, prompt: options.prompt.flatMap(plain) };
  delete without.tools;
  delete without.toolChoice;
  return without;
}

function plain(message: LanguageModelV4Prompt[number]): LanguageModelV4Prompt {
  if (message.role === 'tool') return [];
  if (message.role !== 'assistant') return [message];
  const content = message.content.filter(({ type }) => type !== 'tool-call' && type !== 'tool-result');
  return content.length === 0 ? [] : [{ ...message, content }];
}
