import type { LanguageModelV4Prompt } from '@ai-sdk/provider';

/** A tool name that all providers accept. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const OTHER = /[^A-Za-z0-9_-]/g;
const MAX_CHARACTERS = 64;

/**
 * The prompt with tool names that servers accept. A model may have called a tool by an invalid name, such as
 * `functions.calculate`: sent back unchanged, servers would refuse the conversation from then on.
 */
export function withToolNames(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role === 'assistant') return { ...message, content: message.content.map(named) };
    return message.role === 'tool' ? { ...message, content: message.content.map(named) } : message;
  });
}

function named<T extends { type: string }>(part: T): T {
  if (!('toolName' in part) || typeof part.toolName !== 'string' || NAME.test(part.toolName)) return part;
  return { ...part, toolName: part.toolName.replace(OTHER, '_').slice(0, MAX_CHARACTERS) || '_' };
}
