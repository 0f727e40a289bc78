/** Errors in OpenAI's format, for everything under `/v1`: the service's general errors, and those of `/v1` alone. */
import type { ApiErrorCode } from '../../shared/errors.ts';
import { MAX_SEND_BYTES } from '../../shared/limits.ts';
import type { AppError } from '../errors.ts';

/** The kinds of errors that clients of the format distinguish. */
export type OpenAiErrorType =
  | 'invalid_request_error'
  | 'permission_error'
  | 'rate_limit_error'
  | 'server_error';

/** An error's fields besides its message. */
export interface OpenAiErrorFields {
  /** `invalid_request_error` unless given. */
  type?: OpenAiErrorType;
  /** The parameter that it is about, such as `messages[0].content`; null unless given. */
  param?: string;
  /** `invalid_request` unless given. */
  code?: string;
  headers?: Readonly<Record<string, string>>;
}

/** An error of a status; its message is shown as it stands. */
export class OpenAiError extends Error {
  override name = 'OpenAiError';
  readonly status: number;
  readonly type: OpenAiErrorType;
  readonly param: string | null;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, fields: OpenAiErrorFields = {}) {
    super(message);
    this.status = status;
    this.type = fields.type ?? 'invalid_request_error';
    this.param = fields.param ?? null;
    this.code = fields.code ?? 'invalid_request';
    this.headers = fields.headers ?? {};
  }
}

/** The refusal of a request for one parameter. */
export const invalidParam = (param: string, message: string): OpenAiError =>
  new OpenAiError(400, message, { param });

/** The error object in responses and at the end of streams. */
export const openAiErrorObject = ({ message, type, param, code }: OpenAiError): { error: object } => ({
  error: { message, type, param, code },
});

/** The body of an error answer, as JSON text. */
export const openAiBody = (error: OpenAiError): string => JSON.stringify(openAiErrorObject(error));

const FIELDS: Partial<Record<ApiErrorCode, OpenAiErrorFields>> = {
  invalid_request: {},
  unauthorized: { code: 'invalid_api_key' },
  forbidden: { type: 'permission_error', code: 'forbidden' },
  workspace_forbidden: { type: 'permission_error', code: 'workspace_forbidden' },
  origin_forbidden: { type: 'permission_error', code: 'origin_forbidden' },
  too_many_requests: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  queue_full: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  // What clients shorten a conversation for.
  body_too_large: { code: 'context_length_exceeded' },
};

const TOO_LARGE = `A request can have ${Math.floor(MAX_SEND_BYTES / 2 ** 20)} MiB, pictures included, and at most 2 MiB beside its long texts. Send a shorter conversation.`;

/** Converts the service's error to this format. */
export function openAiErrorOf({ code, status, message, details }: AppError): OpenAiError {
  const [first] = details ?? [];
  const fields = FIELDS[code] ?? { type: status >= 500 ? 'server_error' : 'invalid_request_error', code };
  const words = code === 'body_too_large' ? TOO_LARGE : message;
  return new OpenAiError(status, words, {
    ...fields,
    ...(first !== undefined && first.path !== '' && { param: paramOf(first.path) }),
  });
}

/** A JSON pointer in the format's notation: `/messages/0/content` is `messages[0].content`. */
const paramOf = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
