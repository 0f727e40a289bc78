/** Estimated tokens of a request to a model and its parts. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { PICTURE_TOKENS } from '../../shared/estimate-tokens.ts';
import { estimateTokens } from './estimate.ts';

/** A tool that a model is offered. */
export type OfferedTool = NonNullable<LanguageModelV4CallOptions['tools']>[number];

/** A message's text, close enough to what a server reads. */
export const promptTextOf = ({ content }: LanguageModelV4Message): string =>
  typeof content === 'string'
    ? content
    : content
        .map((part) => {
          if (part.type === 'text' || part.type === 'reasoning') return part.text;
          if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`;
          return part.type === 'tool-result' ? outputText(part) : '';
        })
        .join('\n');

/** The tokens of a tool output's pictures. */
export const pictureTokens = ({ output }: LanguageModelV4ToolResultPart): number =>
  output.type === 'content' ? output.value.filter(({ type }) => type === 'file').length * PICTURE_TOKENS : 0;

/** A tool output as the model reads it, without pictures. */
export function outputText({ output }: LanguageModelV4ToolResultPart): string {
  if (output.type === 'content') {
    return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  }
  return output.type === 'text' || output.type === 'error-text'
    ? output.value
    : JSON.stringify('value' in output ? output.value : null);
}

/** The tokens of a message. */
export const messageTokens = (message: LanguageModelV4Message): number =>
  typeof message.content === 'string'
    ? estimateTokens(message.content)
    : message.content.reduce(
        (sum, part) => {
          if (part.type === 'file') return sum + PICTURE_TOKENS;
          return part.type === 'tool-result' ? sum + pictureTokens(part) : sum;
        },
        estimateTokens(promptTextOf(message)),
      );

/** The tokens of a tool's name, description and input. */
export const toolTokens = (tool: {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
}): number => estimateTokens(JSON.stringify([tool.name, tool.description, tool.inputSchema]));

/** The tokens of a tool as it is offered to a model. */
export const offeredTokens = (tool: OfferedTool): number =>
  tool.type === 'function' ? toolTokens(tool) : estimateTokens(JSON.stringify(tool));

/** The tokens of all that a request holds. */
export const requestTokens = ({ prompt, tools = [] }: LanguageModelV4CallOptions): number =>
  prompt.reduce((sum, message) => sum + messageTokens(message), 0) +
  tools.reduce((sum, tool) => sum + offeredTokens(tool), 0);
