/**
 * Every error code a client can meet in an error body's `code`, with the sentence that goes with it, which is for a person. The
 * service gives each a status (server/errors.ts), the window its own words.
 */
export const ERROR_SENTENCES = {
  invalid_request: 'Something in the request is not valid. See the details, fix it and send it again.',
  invalid_json: 'The request body is not valid JSON in UTF-8. Fix it and send it again.',
  workspace_required:
    'This key works in all workspaces, so name one with workspaceId or the X-Workspace-Id header.',
  unauthorized: 'Send a valid API key in the header "Authorization: Bearer <API_KEY>".',
  forbidden: 'This key may not do that. Use a key with the scope "admin".',
  approve_required: 'This key may not approve tools. Use one with the right "approve", or answer in Parley.',
  reach_required: 'This key may not make Parley contact other servers. Use one with the right "reach".',
  workspace_forbidden: 'This key belongs to another workspace. Leave the workspace out or use another key.',
  origin_forbidden:
    'Web pages of this origin may not call Parley. Add the origin to the allowed origins in the settings.',
  not_found: 'There is nothing at this address. Check the path; GET /openapi.json lists all of them.',
  method_not_allowed: 'This address does not support that method. Use one listed in the Allow header.',
  chat_not_found: 'There is no such chat in this workspace; check its id.',
  message_not_found: 'There is no such message in this chat; check its id.',
  file_not_found: 'There is no such file, or its message was deleted; check its id.',
  file_lost:
    'This file is no longer in Parley’s data folder: something removed or changed it. Send the file again, or restore a backup.',
  workspace_not_found: 'There is no such workspace; check its id.',
  conflict: 'This conflicts with the current state. Read it and try again.',
  chat_busy: 'A reply was in progress in this chat. Wait for it or stop it, then try again.',
  message_taken:
    'This message is no longer waiting: its reply has started or is done. Edit the message instead, or stop the reply.',
  key_not_found: 'There is no such key; check its id.',
  session_not_found: 'No browser with this id is signed in; check its id.',
  backup_not_found: 'There is no such backup; check its name.',
  connection_not_found: 'There is no such connection; check its id.',
  agent_not_found: 'There is no such agent; check its agentType.',
  approval_not_found:
    'Nothing with this id is waiting for approval in this chat. Read its messages to see what is.',
  permission_not_found: 'This tool is not on the list of always allowed tools; check its name.',
  folder_not_found: 'There is no such folder; check its id.',
  skill_not_found: 'There is no such skill; check its id.',
  note_not_found: 'There is no such note in this workspace; check its id.',
  project_not_found: 'There is no such project in this workspace; check its id.',
  prompt_not_found: 'There is no such prompt in this workspace; check its id.',
  schedule_not_found: 'There is no such schedule in this workspace; check its id.',
  mcp_server_not_found: 'There is no such tool server; check its id.',
  unsupported_import:
    'This version of Parley can’t read this file. It reads exports of Parley, ChatGPT, Claude, DeepSeek, Open WebUI and LM Studio.',
  idempotency_conflict: 'This Idempotency-Key was already used for another message. Choose a new key.',
  body_too_large:
    'The request body is too large. Send less at once: up to 1 MiB, plus 20 MiB of files with a message.',
  unsupported_media_type: 'Send the request body as JSON with the header "Content-Type: application/json".',
  wrong_host: 'The Host header does not name this service. Use the address it printed when it started.',
  fetch_failed: 'The other server did not return what was asked for. Check the address, or try again later.',
  too_many_requests: 'Too many invalid keys were sent. Wait for the time in Retry-After.',
  queue_full: 'Too many messages were waiting in this workspace. Try again when some have been answered.',
  internal_error: 'Something went wrong in Parley. Try again, and report it if it happens again.',
  storage_full: 'The disk was full, so nothing was saved. Free some space and try again.',
  storage_unavailable:
    'Parley could not write to the disk, so nothing was saved. Check the data folder and try again.',
  shutting_down: 'Parley was shutting down. Send this again when it has restarted.',
} as const;

/** A code of {@link ERROR_SENTENCES}. */
export type ApiErrorCode = keyof typeof ERROR_SENTENCES;

/** All of them. */
export const API_ERROR_CODES = Object.keys(ERROR_SENTENCES) as ApiErrorCode[];

/** Why a reply could not be made; stored on the assistant message. `MessageError` says what each means. */
export const TURN_ERROR_CODES = [
  'timed_out',
  'interrupted',
  'model_failed',
  'agent_crashed',
  'model_unreachable',
  'model_not_found',
  'model_key_refused',
  'model_overloaded',
  'context_too_long',
] as const;

/** A code of {@link TURN_ERROR_CODES}. */
export type TurnErrorCode = (typeof TURN_ERROR_CODES)[number];
