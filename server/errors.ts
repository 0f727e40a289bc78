/** The statuses of error codes, and the error class that carries a code to the error handler. */
import { ERROR_SENTENCES, type ApiErrorCode } from '../shared/errors.ts';

/** What is missing is a 404. */
type NotFound = Extract<ApiErrorCode, 'not_found' | `${string}_not_found`>;

/** The HTTP statuses of all other codes. */
const STATUSES: Readonly<Record<Exclude<ApiErrorCode, NotFound>, number>> = {
  invalid_request: 400,
  invalid_json: 400,
  workspace_required: 400,
  unsupported_import: 400,
  unauthorized: 401,
  forbidden: 403,
  approve_required: 403,
  reach_required: 403,
  workspace_forbidden: 403,
  origin_forbidden: 403,
  method_not_allowed: 405,
  conflict: 409,
  chat_busy: 409,
  message_taken: 409,
  idempotency_conflict: 409,
  file_lost: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  wrong_host: 421,
  too_many_requests: 429,
  queue_full: 429,
  internal_error: 500,
  storage_unavailable: 500,
  fetch_failed: 502,
  shutting_down: 503,
  storage_full: 507,
};

/** The HTTP status that goes with a code. */
export const httpStatusOf = (code: ApiErrorCode): number =>
  code in STATUSES ? STATUSES[code as keyof typeof STATUSES] : 404;

/** Default `Retry-After` in seconds: every 429 and 503 has one. A stop takes at most 5, and a start less than one. */
const RETRY_AFTER: Partial<Record<ApiErrorCode, number>> = {
  too_many_requests: 60,
  queue_full: 1,
  shutting_down: 5,
};

/** One problem of a request: where (a JSON pointer or a parameter's name) and what. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Options of an {@link AppError}. */
export interface AppErrorOptions {
  /** One entry for each problem. */
  details?: ErrorDetail[];
  /** Sent as `Retry-After`, in seconds. */
  retryAfterSeconds?: number;
  /** The underlying error. It is logged, never sent. */
  cause?: unknown;
}

/** An error with a code that clients know. Clients see its message as it is. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ApiErrorCode;
  /** The HTTP status that goes with the code. */
  readonly status: number;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  /** `message` defaults to the code's sentence in {@link ERROR_SENTENCES}. */
  constructor(code: ApiErrorCode, message?: string, options: AppErrorOptions = {}) {
    super(message ?? ERROR_SENTENCES[code], 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = httpStatusOf(code);
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds ?? RETRY_AFTER[code];
  }
}

/** Returns `value`, or throws an AppError with this code if it is null. */
export function found<T>(value: T | null, code: ApiErrorCode, message?: string): T {
  if (value === null) throw new AppError(code, message);
  return value;
}

/** The error for one invalid field of a request body. Separate nested fields with slashes. */
export const invalidField = (field: string, message: string): AppError =>
  new AppError('invalid_request', message, { details: [{ path: `/${field}`, message }] });
