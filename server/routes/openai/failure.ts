import type { MessageError } from '../../../shared/api/message.ts';
import type { TurnErrorCode } from '../../../shared/errors.ts';
import { OpenAiError, type OpenAiErrorFields } from '../../plugins/openai-error.ts';

import type { FieldNames } from './field-names.ts';

/** Parley has tried again already where that is of use: clients that would do so by themselves are told not to. */
const NOT_AGAIN = { 'x-should-retry': 'false' };
const SERVER = { type: 'server_error', headers: NOT_AGAIN } as const;

/** The status of a failure is that of a gateway: the fault is the model server's, or lies on the way to it. */
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

/** Why there is no answer, or no whole one, as clients of the format are told. */
export function failureOf({ code, message }: MessageError, { conversation }: FieldNames): OpenAiError {
  const { status, ...told } = FAILURES[code];
  const param = code === 'context_too_long' ? { param: conversation } : {};
  return new OpenAiError(status, message, { code, ...param, ...told });
}
