import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ModelAccess } from '../../connections/model-access.ts';
import type { TooLong } from '../../models/model-error.ts';
import { messageTokens, offeredTokens } from '../../models/request-size.ts';

/** What a request consists of: the name of each part, and what to do if it is the largest. */
const PARTS = {
  message: ['your message', 'Send it in smaller parts'],
  history: ['earlier messages', 'Begin a new chat'],
  outputs: ['what tools gave', 'Ask for less at a time'],
  tools: ['tools', 'Give this agent fewer tools in Settings, Agents'],
  instructions: ['instructions', 'Shorten the instructions of this agent in Settings, Agents'],
} as const;

type PartName = keyof typeof PARTS;

/** Why a request was too long for its model: the size of its parts, and what to do about the largest. */
export function describeTooLong(
  { modelId, contextTokens }: ModelAccess,
  options: LanguageModelV4CallOptions,
  { said, readsTokens, instructions }: TooLong & { instructions: number },
): string {
  const sizes = Object.entries(partsOf(options, instructions)) as [PartName, number][];
  sizes.sort(([, one], [, other]) => other - one);
  const [largest] = sizes[0] ?? ['history'];
  const total = sizes.reduce((sum, [, tokens]) => sum + tokens, 0);
  const limit = readsTokens ?? contextTokens ?? null;
  const reads = limit === null ? 'can read' : `can read: ${count(limit)} tokens`;
  const listed = sizes
    .filter(([, tokens]) => tokens > 0)
    .map(([name, tokens]) => `${PARTS[name][0]} ${count(tokens)}`)
    .join(', ');
  const quote = said === '' ? '' : ` (“${said.replace(/(?<![.\s])[.\s]+$/, '')}”)`;
  return `This is longer than “${modelId}” ${reads}${quote}. It is about ${count(total)} tokens: ${listed}. ${PARTS[largest][1]}, or choose a model that reads more.`;
}

/** The size of each part in tokens. */
function partsOf(
  { prompt, tools = [] }: LanguageModelV4CallOptions,
  instructions: number,
): Record<PartName, number> {
  const asked = prompt.findLastIndex(({ role }) => role === 'user');
  const parts = {
    message: 0,
    history: 0,
    outputs: 0,
    tools: tools.reduce((sum, tool) => sum + offeredTokens(tool), 0),
    instructions,
  };
  prompt.forEach((message, at) => {
    const tokens = messageTokens(message);
    // A summary of earlier messages is part of the system message.
    if (message.role === 'system') parts.history += Math.max(0, tokens - instructions);
    else if (at === asked) parts.message += tokens;
    else if (at > asked) parts.outputs += tokens;
    else parts.history += tokens;
  });
  return parts;
}

const count = (tokens: number): string => Math.round(tokens).toLocaleString('en');
