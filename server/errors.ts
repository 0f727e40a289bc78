/** The one table of what an error code means to a client, and the error that carries a code to the error handler. */
import type { ApiErrorCode } from '../shared/errors.ts';

/** What a client gets for a code. */
interface ErrorMeaning {
  /** The HTTP status. */
  status: number;
  /** For when there is no better sentence. */
  message: string;
  /** `Retry-After`, in seconds, for when nothing more exact is known; every 429 and 503 has one. */
  retryAfterSeconds?: number;
}

/** What a client gets for each code. */
export const ERRORS: Readonly<Record<ApiErrorCode, ErrorMeaning>> = {
  invalid_request: {
    status: 400,
    message: 'Something in the request is not valid; see the details, fix it and send it again.',
  },
  invalid_json: {
    status: 400,
    message: 'The request body is not valid JSON in UTF-8; fix it and send it again.',
  },
  workspace_required: {
    status: 400,
    message: 'This key works in all workspaces, so name one with workspaceId or the X-Workspace-Id header.',
  },
  unauthorized: {
    status: 401,
    message: 'Send a valid API key in the header "Authorization: Bearer <API_KEY>".',
  },
  forbidden: { status: 403, message: 'This key may not do that; use a key with the scope "admin".' },
  approve_required: {
    status: 403,
    message:
      'This key may not answer tools’ questions; use one that was made with "approve", or answer in Parley.',
  },
  reach_required: {
    status: 403,
    message: 'This key may not reach other servers; use one that was made with "reach".',
  },
  workspace_forbidden: {
    status: 403,
    message: 'This key is bound to another workspace; leave the workspace out or use another key.',
  },
  origin_forbidden: {
    status: 403,
    message:
      'Web pages of this origin may not call Parley; add the origin to the allow list in the settings.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this address; check the path. GET /openapi.json tells of all there are.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address does not take that method; use one that Allow names.',
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
      'The bytes of this file are no longer in Parley’s data folder: something removed or changed them. Send the file again, or restore a backup.',
  },
  workspace_not_found: { status: 404, message: 'There is no such workspace; check its id.' },
  conflict: {
    status: 409,
    message: 'That conflicts with the current state; read it and try again.',
  },
  chat_busy: {
    status: 409,
    message: 'A reply is being written in this chat; wait for it or stop it, then try again.',
  },
  message_taken: {
    status: 409,
    message:
      'This message no longer waits: its reply is being made, or is there. Edit it instead, or stop the reply.',
  },
  key_not_found: { status: 404, message: 'There is no such key; check its id.' },
  session_not_found: { status: 404, message: 'No browser with this id is signed in; check its id.' },
  backup_not_found: { status: 404, message: 'There is no such backup; check its name.' },
  connection_not_found: { status: 404, message: 'There is no such connection; check its id.' },
  agent_not_found: { status: 404, message: 'There is no such agent; check its agentType.' },
  approval_not_found: {
    status: 404,
    message: 'Nothing with this id is waiting for approval in this chat; its messages show what is.',
  },
  permission_not_found: { status: 404, message: 'No answer is remembered for this tool; check its name.' },
  folder_not_found: { status: 404, message: 'There is no such folder; check its id.' },
  project_not_found: { status: 404, message: 'There is no such project in this workspace; check its id.' },
  note_not_found: { status: 404, message: 'There is no such note in this workspace; check its id.' },
  prompt_not_found: { status: 404, message: 'There is no such prompt in this workspace; check its id.' },
  mcp_server_not_found: { status: 404, message: 'There is no such tool server; check its id.' },
  unsupported_import: {
    status: 400,
    message:
      'These are no chats that this version of Parley can read. It reads exports of Parley, ChatGPT, Claude, Open WebUI and LM Studio.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was already used for another message; choose a new key.',
  },
  body_too_large: {
    status: 413,
    message:
      'The request body is too large; send less at once. It may have 1 MiB, and 20 MiB of files besides where a message is sent.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the request body as JSON with the header "Content-Type: application/json".',
  },
  wrong_host: {
    status: 421,
    message: 'The Host header does not name this service; use the address it printed when it started.',
  },
  fetch_failed: {
    status: 502,
    message: 'The other server did not give what was asked for; check the address, or try again later.',
  },
  too_many_requests: {
    status: 429,
    message: 'Too many bad keys were sent; wait as long as Retry-After says.',
    retryAfterSeconds: 60,
  },
  queue_full: {
    status: 429,
    message: 'Too many messages are waiting in this workspace; try again when some are answered.',
    retryAfterSeconds: 1,
  },
  internal_error: {
    status: 500,
    message: 'Parley failed to do this; try again, and report it if it happens again.',
  },
  storage_full: {
    status: 507,
    message: 'The disk is full, so nothing was accepted; free some space and send it again.',
  },
  storage_unavailable: {
    status: 500,
    message:
      'The data could not be written to disk, so nothing was accepted; check the data folder and send it again.',
  },
  // As long as a stop takes at most; a start takes less than a second.
  shutting_down: {
    status: 503,
    message: 'Parley is stopping; send this again when it has restarted.',
    retryAfterSeconds: 5,
  },
};

/** One thing that is wrong with a request: where (a JSON pointer or a parameter's name) and what. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** What may go with an {@link AppError}. */
export interface AppErrorOptions {
  /** One entry for each thing that is wrong. */
  details?: ErrorDetail[];
  /** Sent as `Retry-After`, in seconds. */
  retryAfterSeconds?: number;
  /** What lies behind it; logged, never sent. */
  cause?: unknown;
}

/** A refusal with a code that clients know; its message is shown to them as it stands. */
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

/** What was looked for; throws AppError of that code where there is none. */
export function found<T>(value: T | null, code: ApiErrorCode, message?: string): T {
  if (value === null) throw new AppError(code, message);
  return value;
}

/** The refusal of a request for one field of its body; a field within another is named with slashes. */
export const invalidField = (field: string, message: string): AppError =>
  new AppError('invalid_request', message, { details: [{ path: `/${field}`, message }] });
