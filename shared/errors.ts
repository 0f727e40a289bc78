/**
 * Every error code a client can meet in an error body's `code`, and every reason a reply can carry in
 * `message.error.code`. The service gives each a status and a sentence (server/errors.ts), the window its own words.
 */
export const API_ERROR_CODES = [
  'invalid_request',
  'invalid_json',
  'workspace_required',
  'unauthorized',
  'forbidden',
  'approve_required',
  'reach_required',
  'workspace_forbidden',
  'origin_forbidden',
  'not_found',
  'method_not_allowed',
  'chat_not_found',
  'message_not_found',
  'file_not_found',
  'file_lost',
  'workspace_not_found',
  'conflict',
  'chat_busy',
  'message_taken',
  'key_not_found',
  'session_not_found',
  'backup_not_found',
  'connection_not_found',
  'agent_not_found',
  'approval_not_found',
  'permission_not_found',
  'folder_not_found',
  'skill_not_found',
  'note_not_found',
  'project_not_found',
  'prompt_not_found',
  'schedule_not_found',
  'mcp_server_not_found',
  'unsupported_import',
  'idempotency_conflict',
  'body_too_large',
  'unsupported_media_type',
  'wrong_host',
  'fetch_failed',
  'too_many_requests',
  'queue_full',
  'internal_error',
  'storage_full',
  'storage_unavailable',
  'shutting_down',
] as const;

/** A code of {@link API_ERROR_CODES}. */
export type ApiErrorCode = (typeof API_ERROR_CODES)[number];

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
