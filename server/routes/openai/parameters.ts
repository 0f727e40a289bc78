/** A client's options as parameters of agents and chats. */
import { Parameters } from '../../../shared/api/parameters.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import { expectedOf } from '../../plugins/validation-words.ts';
import type { RequestOptions } from './request-options.ts';
import type { FieldNames } from './fields.ts';

type Effort = NonNullable<Parameters['reasoning']>;

/** The nearest effort that chats have. */
const NEAREST: Readonly<Record<string, Effort>> = { minimal: 'low', xhigh: 'high' };

/** The parameters of an agent's turn, with the conversation's instructions. */
export function parametersOf(
  { settings, direct: { reasoning } }: RequestOptions,
  instructions: readonly string[],
): Parameters {
  const joined = instructions.filter((text) => text.trim() !== '').join('\n\n');
  return {
    ...settings,
    ...(reasoning !== undefined && { reasoning: NEAREST[reasoning] ?? (reasoning as Effort) }),
    ...(joined !== '' && { instructions: joined }),
  };
}

/** Rejects with OpenAiError for a parameter that a message of a chat can't have. */
export async function requireKeepable(parameters: Parameters, fields: FieldNames): Promise<void> {
  const { Check } = await import('typebox/schema');
  const names: Readonly<Record<keyof Parameters, string>> = {
    temperature: 'temperature',
    topP: 'top_p',
    maxOutputTokens: fields.maxTokens,
    stopSequences: 'stop',
    seed: 'seed',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
    reasoning: fields.effort,
    instructions: fields.instructions,
  };
  for (const [name, schema] of Object.entries(Parameters.properties)) {
    const value = parameters[name as keyof Parameters];
    if (value === undefined || Check(schema, value)) continue;
    const param = names[name as keyof Parameters];
    const what = name === 'instructions' ? `The instructions in "${param}"` : `"${param}"`;
    const wanted = expectedOf(schema) ?? 'another';
    throw invalidParam(param, `${what} must be ${wanted} if the exchange is kept.`);
  }
}
