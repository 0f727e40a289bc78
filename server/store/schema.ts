/**
 * What all migrations together make of an empty store. A new store begins with it: the migrations would take several times as long.
 * A test compares the two, so a migration changes this, too.
 */
export const SCHEMA: readonly string[] = [
  `CREATE TABLE workspaces (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL, default_model
    TEXT)`,
  `CREATE TABLE keys (id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, prefix TEXT NOT NULL, digest
    TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, workspace_id TEXT, created_at TEXT NOT NULL, last_used_at
    TEXT, expires_at TEXT, revoked_at TEXT, reach INTEGER NOT NULL DEFAULT 0, approve INTEGER NOT NULL
    DEFAULT 0, webhook TEXT)`,
  `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE chats (id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, agent_type TEXT NOT NULL, title TEXT
    NOT NULL, title_source TEXT NOT NULL, status TEXT NOT NULL, model TEXT NOT NULL, pinned INTEGER NOT NULL
    DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, last_progress_at
    TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT, unread INTEGER NOT NULL
    DEFAULT 0, structure INTEGER NOT NULL DEFAULT 0, title_folded TEXT, parameters TEXT, project_id TEXT,
    left_workspace_ids TEXT)`,
  `CREATE INDEX chats_listed ON chats (workspace_id, updated_at DESC, id, archived) WHERE deleted_at IS NULL`,
  `CREATE INDEX chats_unsettled ON chats (status) WHERE status IN ('pending', 'processing', 'completed')`,
  `CREATE TABLE messages (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, chat_id TEXT NOT NULL, workspace_id
    TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL, content_json INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL, mode TEXT, model TEXT, steps TEXT, error_code TEXT, error_message TEXT, usage
    TEXT, stop_reason TEXT, reply_to TEXT, created_at TEXT NOT NULL, version_of TEXT, hidden_by TEXT,
    deleted_at TEXT, reasoning TEXT, tool_reach TEXT, parameters TEXT, attachments TEXT, timing TEXT,
    retry_of TEXT, rounds TEXT, echo TEXT)`,
  `CREATE INDEX messages_of_chat ON messages (chat_id, seq)`,
  `CREATE INDEX messages_waiting ON messages (workspace_id, chat_id, seq) WHERE role = 'user' AND status =
    'pending'`,
  `CREATE INDEX messages_unfinished ON messages (chat_id) WHERE role = 'assistant' AND status IN ('pending',
    'streaming')`,
  `CREATE TABLE search_index (indexed_to INTEGER NOT NULL)`,
  `CREATE TABLE notes (id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, text TEXT NOT NULL, created_at TEXT NOT
    NULL)`,
  `CREATE INDEX notes_of_workspace ON notes (workspace_id, created_at DESC)`,
  `CREATE TABLE idempotency (chat_id TEXT NOT NULL, idempotency_key TEXT NOT NULL, request_digest TEXT NOT
    NULL, response TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (chat_id, idempotency_key)) WITHOUT
    ROWID`,
  `CREATE INDEX idempotency_by_age ON idempotency (created_at)`,
  `CREATE INDEX messages_versions ON messages (version_of, seq) WHERE version_of IS NOT NULL`,
  `CREATE INDEX messages_hidden ON messages (hidden_by) WHERE hidden_by IS NOT NULL`,
  `CREATE INDEX messages_deleted ON messages (deleted_at) WHERE deleted_at IS NOT NULL`,
  `CREATE INDEX chats_pinned ON chats (workspace_id, updated_at DESC, id) WHERE pinned = 1 AND deleted_at IS
    NULL`,
  `CREATE INDEX chats_deleted ON chats (deleted_at) WHERE deleted_at IS NOT NULL`,
  `CREATE TABLE drafts (workspace_id TEXT NOT NULL, chat_key TEXT NOT NULL, text TEXT NOT NULL, updated_at TEXT
    NOT NULL, PRIMARY KEY (workspace_id, chat_key)) WITHOUT ROWID`,
  `CREATE TABLE page_returns (digest TEXT PRIMARY KEY, key_digest TEXT, expires_at TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE INDEX chats_unread ON chats (id) WHERE unread = 1 AND archived = 0 AND deleted_at IS NULL`,
  `CREATE TABLE connections (id TEXT PRIMARY KEY, provider TEXT NOT NULL, name TEXT NOT NULL, slug TEXT NOT
    NULL UNIQUE, base_url TEXT, has_key INTEGER NOT NULL DEFAULT 0, models TEXT NOT NULL DEFAULT '[]',
    models_listed_at TEXT, created_at TEXT NOT NULL, header_names TEXT NOT NULL DEFAULT '[]',
    first_word_seconds INTEGER)`,
  `CREATE TABLE agents (agent_type TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL,
    instructions TEXT NOT NULL, model TEXT, tools TEXT NOT NULL, step_limit INTEGER NOT NULL, created_at
    TEXT NOT NULL, updated_at TEXT NOT NULL, parameters TEXT) WITHOUT ROWID`,
  `CREATE TABLE tool_calls (id TEXT PRIMARY KEY, reply_id TEXT NOT NULL, chat_id TEXT NOT NULL, tool TEXT NOT
    NULL, input TEXT NOT NULL, state TEXT NOT NULL, output TEXT, error TEXT, created_at TEXT NOT NULL,
    expires_at TEXT, basis TEXT, place TEXT, place_name TEXT, described TEXT)`,
  `CREATE INDEX tool_calls_of_reply ON tool_calls (reply_id)`,
  `CREATE TABLE tool_permissions (tool TEXT PRIMARY KEY, created_at TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE folders (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL UNIQUE, created_at
    TEXT NOT NULL)`,
  `CREATE TABLE mcp_servers (id TEXT PRIMARY KEY, name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE, transport TEXT
    NOT NULL, command TEXT, args TEXT NOT NULL DEFAULT '[]', url TEXT, secret_names TEXT NOT NULL DEFAULT
    '[]', enabled INTEGER NOT NULL DEFAULT 1, agents TEXT NOT NULL, tools TEXT NOT NULL DEFAULT '[]',
    tools_listed_at TEXT, created_at TEXT NOT NULL)`,
  `CREATE TABLE summaries (id TEXT PRIMARY KEY, chat_id TEXT NOT NULL, upto_seq INTEGER NOT NULL, upto_id TEXT
    NOT NULL, made_at_seq INTEGER NOT NULL, text TEXT NOT NULL, model TEXT NOT NULL, created_at TEXT NOT
    NULL)`,
  `CREATE INDEX summaries_of_chat ON summaries (chat_id, upto_seq)`,
  `CREATE INDEX chats_unfolded ON chats (id) WHERE title_folded IS NULL AND title GLOB '*[^ -~]*'`,
  `CREATE TRIGGER chats_retitled AFTER UPDATE OF title ON chats WHEN new.title <> old.title BEGIN UPDATE chats
    SET title_folded = NULL WHERE id = new.id; END`,
  `CREATE INDEX chats_of_agent ON chats (workspace_id, agent_type, updated_at DESC, id, archived) WHERE
    deleted_at IS NULL`,
  `CREATE TABLE allowances (id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, tool TEXT NOT NULL, place TEXT NOT
    NULL, place_name TEXT NOT NULL, described TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE (workspace_id,
    tool, place))`,
  `CREATE TABLE step_files (id TEXT PRIMARY KEY, chat_id TEXT NOT NULL, message_id TEXT NOT NULL, call_id TEXT
    NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, media_type TEXT NOT NULL, bytes INTEGER NOT
    NULL, data TEXT NOT NULL)`,
  `CREATE INDEX step_files_of_message ON step_files (message_id)`,
  `CREATE TABLE browsers (id TEXT PRIMARY KEY, public_key TEXT NOT NULL, address TEXT NOT NULL, name TEXT NOT
    NULL, key_digest TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE webhook_events (id TEXT PRIMARY KEY, key_id TEXT NOT NULL, message_id TEXT NOT NULL, body TEXT,
    attempts INTEGER NOT NULL, due_at_ms INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE files (id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, message_id TEXT, sha256 TEXT NOT NULL,
    name TEXT NOT NULL, kind TEXT NOT NULL, media_type TEXT NOT NULL, bytes INTEGER NOT NULL, width INTEGER,
    height INTEGER, created_at TEXT NOT NULL)`,
  `CREATE INDEX files_of_message ON files (message_id) WHERE message_id IS NOT NULL`,
  `CREATE INDEX files_unsent ON files (created_at) WHERE message_id IS NULL`,
  `CREATE INDEX files_by_bytes ON files (sha256, bytes)`,
  `CREATE TABLE projects (id TEXT NOT NULL, workspace_id TEXT NOT NULL, name TEXT NOT NULL, instructions TEXT
    NOT NULL, default_model TEXT, position INTEGER NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY
    (workspace_id, id))`,
  `CREATE INDEX chats_of_project ON chats (workspace_id, project_id, updated_at DESC, id, archived) WHERE
    deleted_at IS NULL`,
  `CREATE TABLE prompts (id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT
    NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL)`,
  `CREATE INDEX prompts_of_workspace ON prompts (workspace_id)`,
  `CREATE TABLE unsettled_versions (id TEXT PRIMARY KEY, chat_id TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE INDEX messages_linked ON messages (chat_id, seq, hidden_by, deleted_at) WHERE coalesce(version_of,
    hidden_by, deleted_at) IS NOT NULL`,
  `CREATE INDEX messages_with_files ON messages (chat_id) WHERE attachments IS NOT NULL`,
  `CREATE VIEW message_words AS SELECT seq AS rowid, search_words(content, content_json) AS words FROM messages`,
  `CREATE TABLE skill_folders (id TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL)`,
  `CREATE TABLE skills (id TEXT PRIMARY KEY, path TEXT NOT NULL, folder_id TEXT, name TEXT NOT NULL,
    description TEXT NOT NULL, version TEXT NOT NULL, agents TEXT NOT NULL, created_at TEXT NOT NULL)`,
  `CREATE TABLE schedules (id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, content TEXT NOT NULL, mode TEXT NOT
    NULL, timing TEXT NOT NULL, at TEXT, cron TEXT, time_zone TEXT NOT NULL, chat_id TEXT, project_id TEXT,
    agent_type TEXT, model TEXT, key_id TEXT, reach INTEGER NOT NULL, allowed TEXT NOT NULL, paused INTEGER
    NOT NULL, since TEXT NOT NULL, next_at TEXT, created_at TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL AND paused = 0`,
  `CREATE TABLE schedule_runs (seq INTEGER PRIMARY KEY, schedule_id TEXT NOT NULL, due_at TEXT, ran_at TEXT NOT
    NULL, chat_id TEXT, message_id TEXT, state TEXT NOT NULL, error TEXT, UNIQUE (schedule_id, due_at))`,
  `CREATE INDEX schedule_runs_by_message ON schedule_runs (message_id) WHERE message_id IS NOT NULL`,
  'INSERT INTO search_index (indexed_to) VALUES (0)',
];
