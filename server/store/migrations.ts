/**
 * The schema, as numbered steps that only add. Each runs in one transaction; `user_version` holds the last that ran.
 * A step that has been released is never edited: the next change is the next number.
 */
export interface Migration {
  version: number;
  name: string;
  statements: string[];
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'chats, messages, keys and notes',
    statements: [
      `CREATE TABLE workspaces (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created_at TEXT NOT NULL
      )`,
      `CREATE TABLE keys (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        prefix TEXT NOT NULL,
        digest TEXT NOT NULL UNIQUE,
        scope TEXT NOT NULL,
        workspace_id TEXT,
        created_at TEXT NOT NULL,
        last_used_at TEXT,
        expires_at TEXT,
        revoked_at TEXT
      )`,
      `CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
      )`,
      `CREATE TABLE chats (
        id TEXT PRIMARY KEY,
        workspace_id TEXT NOT NULL,
        agent_type TEXT NOT NULL,
        title TEXT NOT NULL,
        title_source TEXT NOT NULL,
        status TEXT NOT NULL,
        model TEXT NOT NULL,
        pinned INTEGER NOT NULL DEFAULT 0,
        archived INTEGER NOT NULL DEFAULT 0,
        attempts INTEGER NOT NULL DEFAULT 0,
        last_progress_at TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        deleted_at TEXT
      )`,
      `CREATE INDEX chats_listed ON chats (workspace_id, updated_at DESC, id, archived) WHERE deleted_at IS NULL`,
      `CREATE INDEX chats_unsettled ON chats (status) WHERE status IN ('pending', 'processing', 'completed')`,
      // seq orders messages; content_json is 1 where the text is kept as a JSON string (see message-repository.ts).
      `CREATE TABLE messages (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        chat_id TEXT NOT NULL,
        workspace_id TEXT NOT NULL,
        role TEXT NOT NULL,
        content TEXT NOT NULL,
        content_json INTEGER NOT NULL DEFAULT 0,
        status TEXT NOT NULL,
        mode TEXT,
        model TEXT,
        steps TEXT,
        error_code TEXT,
        error_message TEXT,
        usage TEXT,
        stop_reason TEXT,
        reply_to TEXT,
        created_at TEXT NOT NULL
      )`,
      `CREATE INDEX messages_of_chat ON messages (chat_id, seq)`,
      `CREATE INDEX messages_waiting ON messages (workspace_id, chat_id, seq)
        WHERE role = 'user' AND status = 'pending'`,
      `CREATE INDEX messages_unfinished ON messages (chat_id)
        WHERE role = 'assistant' AND status IN ('pending', 'streaming')`,
      `CREATE VIRTUAL TABLE messages_found USING fts4(content="messages", content, tokenize=unicode61)`,
      // One row: up to which message the search index has come (see search-index-repository.ts).
      `CREATE TABLE search_index (indexed_to INTEGER NOT NULL)`,
      `INSERT INTO search_index (indexed_to) VALUES (0)`,
      `CREATE TABLE notes (
        id TEXT PRIMARY KEY,
        workspace_id TEXT NOT NULL,
        text TEXT NOT NULL,
        created_at TEXT NOT NULL
      )`,
      `CREATE INDEX notes_of_workspace ON notes (workspace_id, created_at DESC)`,
      `CREATE TABLE idempotency (
        chat_id TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        request_digest TEXT NOT NULL,
        response TEXT NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (chat_id, idempotency_key)
      ) WITHOUT ROWID`,
      `CREATE INDEX idempotency_by_age ON idempotency (created_at)`,
    ],
  },
];
