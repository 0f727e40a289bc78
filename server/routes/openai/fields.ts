/** Names of fields that differ between the two endpoints, and errors that use them. */
import type { MessageError } from '../../../shared/api/message.ts';
import type { TurnErrorCode } from '../../../shared/errors.ts';
import { OpenAiError, type OpenAiErrorFields } from '../../plugins/openai-error.ts';
import { requireShallow } from './conversation.ts';

/** Names of fields that both endpoints have, for error messages. */
export interface FieldNames {
  conversation: 'messages' | 'input';
  /** The field for instructions. */
  instructions: 'messages' | 'instructions';
  responseFormat: 'response_format' | 'text.format';
  effort: 'reasoning_effort' | 'reasoning.effort';
  maxTokens: 'max_tokens' | 'max_completion_tokens' | 'max_output_tokens';
}

export const CHAT_FIELDS: FieldNames = {
  conversation: 'messages',
  instructions: 'messages',
  responseFormat: 'response_format',
  effort: 'reasoning_effort',
  maxTokens: 'max_tokens',
};

export const RESPONSE_FIELDS: FieldNames = {
  conversation: 'input',
  instructions: 'instructions',
  responseFormat: 'text.format',
  effort: 'reasoning.effort',
  maxTokens: 'max_output_tokens',
};

/** Values, as JSON, that ask for nothing; some clients always send them. */
const HARMLESS = ['null', 'false', '0', '{}', '[]', '["text"]'];

/**
 * Throws OpenAiError for the first of these fields that asks for something, with its sentence in `words`, and for a body
 * that is nested too deeply.
 */
export function refuseFields(
  body: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, string>>,
): void {
  requireShallow(body);
  for (const [param, message] of Object.entries(words)) {
    const value = body[param];
    const isHarmless =
      value === undefined || HARMLESS.includes(JSON.stringify(value)) || (param === 'n' && value === 1);
    if (!isHarmless) throw new OpenAiError(400, message, { param, code: 'unsupported_parameter' });
  }
}

/** Parley has already retried where that helps, so clients shouldn't. */
const NOT_AGAIN = { 'x-should-retry': 'false' };
const SERVER = { type: 'server_error', headers: NOT_AGAIN } as const;

/** Mostly a gateway's statuses: the model server failed, or the connection to it. */
const FAILURES: Readonly<Record<TurnErrorCode, OpenAiErrorFields & { status: number }>> = {
  timed_out: { status: 504, ...SERVER },
  interrupted: { status: 500, type: 'server_error' },
  agent_crashed: { status: 500, type: 'server_error' },
  model_failed: { status: 502, ...SERVER },
  model_unreachable: { status: 502, ...SERVER },
  model_key_refused: { status: 502, ...SERVER },
  model_not_found: { status: 404, param: 'model' },
  model_overloaded: { status: 429, type: 'rate_limit_error', headers: NOT_AGAIN },
  context_too_long: { status: 400, code: 'context_length_exceeded' },
};

/** The error for a reply that failed or broke off. */
export function failureOf({ code, message }: MessageError, { conversation }: FieldNames): OpenAiError {
  const { status, ...rest } = FAILURES[code];
  const param = code === 'context_too_long' ? { param: conversation } : {};
  return new OpenAiError(status, message, { code, ...param, ...rest });
}
