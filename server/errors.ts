/** The table that maps error codes to what clients get, and the error class that carries a code to the error handler. */
import type { ApiErrorCode } from '../shared/errors.ts';

/** What a client gets for a code. */
interface ErrorMeaning {
  /** The HTTP status. */
  status: number;
  /** The default sentence. */
  message: string;
  /** Default `Retry-After` in seconds. Every 429 and 503 has one. */
  retryAfterSeconds?: number;
}

/** What a client gets for each code. */
export const ERRORS: Readonly<Record<ApiErrorCode, ErrorMeaning>> = {
  invalid_request: {
    status: 400,
    message: 'Something in the request is not valid. See the details, fix it and send it again.',
  },
  invalid_json: {
    status: 400,
    message: 'The request body is not valid JSON in UTF-8. Fix it and send it again.',
  },
  workspace_required: {
    status: 400,
    message: 'This key works in all workspaces, so name one with workspaceId or the X-Workspace-Id header.',
  },
  unauthorized: {
    status: 401,
    message: 'Send a valid API key in the header "Authorization: Bearer <API_KEY>".',
  },
  forbidden: { status: 403, message: 'This key may not do that. Use a key with the scope "admin".' },
  approve_required: {
    status: 403,
    message: 'This key may not approve tools. Use one with the right "approve", or answer in Parley.',
  },
  reach_required: {
    status: 403,
    message: 'This key may not make Parley contact other servers. Use one with the right "reach".',
  },
  workspace_forbidden: {
    status: 403,
    message: 'This key belongs to another workspace. Leave the workspace out or use another key.',
  },
  origin_forbidden: {
    status: 403,
    message:
      'Web pages of this origin may not call Parley. Add the origin to the allowed origins in the settings.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this address. Check the path; GET /openapi.json lists all of them.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address does not support that method. Use one listed in the Allow header.',
  },
  chat_not_found: { status: 404, message: 'There is no such chat in this workspace; check its id.' },
  message_not_found: { status: 404, message: 'There is no such message in this chat; check its id.' },
  file_not_found: {
    status: 404,
    message: 'There is no such file, or its message was deleted; check its id.',
  },
  file_lost: {
    status: 410,
    message:
      'This file is no longer in Parley’s data folder: something removed or changed it. Send the file again, or restore a backup.',
  },
  workspace_not_found: { status: 404, message: 'There is no such workspace; check its id.' },
  conflict: {
    status: 409,
    message: 'This conflicts with the current state. Read it and try again.',
  },
  chat_busy: {
    status: 409,
    message: 'A reply is in progress in this chat. Wait for it or stop it, then try again.',
  },
  message_taken: {
    status: 409,
    message:
      'This message is no longer waiting: its reply has started or is done. Edit the message instead, or stop the reply.',
  },
  key_not_found: { status: 404, message: 'There is no such key; check its id.' },
  session_not_found: { status: 404, message: 'No browser with this id is signed in; check its id.' },
  backup_not_found: { status: 404, message: 'There is no such backup; check its name.' },
  connection_not_found: { status: 404, message: 'There is no such connection; check its id.' },
  agent_not_found: { status: 404, message: 'There is no such agent; check its agentType.' },
  approval_not_found: {
    status: 404,
    message: 'Nothing with this id is waiting for approval in this chat. Read its messages to see what is.',
  },
  permission_not_found: {
    status: 404,
    message: 'This tool is not on the list of always allowed tools; check its name.',
  },
  skill_not_found: { status: 404, message: 'There is no such skill; check its id.' },
  folder_not_found: { status: 404, message: 'There is no such folder; check its id.' },
  project_not_found: { status: 404, message: 'There is no such project in this workspace; check its id.' },
  note_not_found: { status: 404, message: 'There is no such note in this workspace; check its id.' },
  prompt_not_found: { status: 404, message: 'There is no such prompt in this workspace; check its id.' },
  schedule_not_found: { status: 404, message: 'There is no such schedule in this workspace; check its id.' },
  mcp_server_not_found: { status: 404, message: 'There is no such tool server; check its id.' },
  unsupported_import: {
    status: 400,
    message:
      'This version of Parley can’t read this file. It reads exports of Parley, ChatGPT, Claude, DeepSeek, Open WebUI and LM Studio.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was already used for another message. Choose a new key.',
  },
  body_too_large: {
    status: 413,
    message:
      'The request body is too large. Send less at once: up to 1 MiB, plus 20 MiB of files with a message.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the request body as JSON with the header "Content-Type: application/json".',
  },
  wrong_host: {
    status: 421,
    message: 'The Host header does not name this service. Use the address it printed when it started.',
  },
  fetch_failed: {
    status: 502,
    message: 'The other server did not return what was asked for. Check the address, or try again later.',
  },
  too_many_requests: {
    status: 429,
    message: 'Too many invalid keys were sent. Wait for the time in Retry-After.',
    retryAfterSeconds: 60,
  },
  queue_full: {
    status: 429,
    message: 'Too many messages are waiting in this workspace. Try again when some have been answered.',
    retryAfterSeconds: 1,
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong in Parley. Try again, and report it if it happens again.',
  },
  storage_full: {
    status: 507,
    message: 'The disk is full, so nothing was saved. Free some space and try again.',
  },
  storage_unavailable: {
    status: 500,
    message: 'Parley could not write to the disk, so nothing was saved. Check the data folder and try again.',
  },
  // A stop takes at most this long, and a start less than a second.
  shutting_down: {
    status: 503,
    message: 'Parley is shutting down. Send this again when it has restarted.',
    retryAfterSeconds: 5,
  },
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

  /** `message` defaults to the code's sentence in {@link ERRORS}. */
  constructor(code: ApiErrorCode, message?: string, options: AppErrorOptions = {}) {
    super(message ?? ERRORS[code].message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds ?? ERRORS[code].retryAfterSeconds;
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
