import { EARLY_MIGRATIONS, type Migration } from './early-migrations.ts';

export type { Migration };

/** All steps of the schema, in order. */
export const MIGRATIONS: readonly Migration[] = [
  ...EARLY_MIGRATIONS,
  {
    version: 10,
    name: 'browsers that prove who they are',
    statements: [
      // Tokens could be replayed by whoever was sent one.
      `DELETE FROM page_returns`,
      // See server/auth/browsers.ts.
      `CREATE TABLE browsers (
        id TEXT PRIMARY KEY, public_key TEXT NOT NULL, address TEXT NOT NULL, name TEXT NOT NULL,
        key_digest TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT NOT NULL
      ) WITHOUT ROWID`,
    ],
  },
  {
    version: 11,
    name: 'webhooks of keys',
    statements: [
      // Where, as JSON; null: none. The secret is kept with the other secrets.
      `ALTER TABLE keys ADD COLUMN webhook TEXT`,
      // Turns that a key wants to hear the end of, and those whose end it has yet to be told (server/events/webhooks.ts).
      `CREATE TABLE webhook_events (
        id TEXT PRIMARY KEY, key_id TEXT NOT NULL, message_id TEXT NOT NULL, body TEXT,
        attempts INTEGER NOT NULL, due_at_ms INTEGER NOT NULL
      ) WITHOUT ROWID`,
    ],
  },
  {
    version: 12,
    name: 'parameters of models',
    statements: [
      // JSON (shared/api/parameters.ts); null: none. Which model was asked for one message alone stands in its `model`.
      `ALTER TABLE messages ADD COLUMN parameters TEXT`,
      `ALTER TABLE chats ADD COLUMN parameters TEXT`,
      `ALTER TABLE agents ADD COLUMN parameters TEXT`,
    ],
  },
  {
    version: 13,
    name: 'files of messages',
    statements: [
      // One row for each file of each message, and for each upload that no message has yet (message_id is null then). The
      // bytes lie beside the store, under their SHA-256 (blob-folder.ts).
      `CREATE TABLE files (
        id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, message_id TEXT, sha256 TEXT NOT NULL, name TEXT NOT NULL,
        kind TEXT NOT NULL, media_type TEXT NOT NULL, bytes INTEGER NOT NULL, width INTEGER, height INTEGER,
        created_at TEXT NOT NULL
      )`,
      `CREATE INDEX files_of_message ON files (message_id) WHERE message_id IS NOT NULL`,
      `CREATE INDEX files_unsent ON files (created_at) WHERE message_id IS NULL`,
      `CREATE INDEX files_by_bytes ON files (sha256, bytes)`,
      // The same as clients are told it, in order: JSON (shared/api/attachment.ts); null: none.
      `ALTER TABLE messages ADD COLUMN attachments TEXT`,
    ],
  },
  {
    version: 14,
    name: 'projects, and chats that move',
    statements: [
      `CREATE TABLE projects (
        id TEXT NOT NULL, workspace_id TEXT NOT NULL, name TEXT NOT NULL, instructions TEXT NOT NULL,
        default_model TEXT, position INTEGER NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (workspace_id, id)
      )`,
      // Null: it is in none.
      `ALTER TABLE chats ADD COLUMN project_id TEXT`,
      `CREATE INDEX chats_of_project ON chats (workspace_id, project_id, updated_at DESC, id, archived)
        WHERE deleted_at IS NULL`,
      // The workspace that it was moved out of last; null: it never was.
      `ALTER TABLE chats ADD COLUMN left_workspace_id TEXT`,
    ],
  },
  {
    version: 15,
    name: 'prompts',
    statements: [
      `CREATE TABLE prompts (
        id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
        created_at TEXT NOT NULL, updated_at TEXT NOT NULL
      )`,
      `CREATE INDEX prompts_of_workspace ON prompts (workspace_id)`,
    ],
  },
  {
    version: 16,
    name: 'all workspaces that a chat was moved out of',
    statements: [
      `ALTER TABLE chats RENAME COLUMN left_workspace_id TO left_workspace_ids`,
      `UPDATE chats SET left_workspace_ids = json_array(left_workspace_ids) WHERE left_workspace_ids IS NOT NULL`,
    ],
  },
  {
    version: 17,
    name: 'measured times of replies',
    // JSON (Timing in shared/api/message.ts); null: nothing was measured.
    statements: [`ALTER TABLE messages ADD COLUMN timing TEXT`],
  },
  {
    version: 18,
    name: 'which versions are retries',
    statements: [
      // The version whose question this one asks once more, itself no retry; null: the first version, or an edit.
      `ALTER TABLE messages ADD COLUMN retry_of TEXT`,
      // It wasn't kept before. A version that says the same as an earlier one came of trying that again, as good as always.
      `UPDATE messages SET retry_of = (
        SELECT earlier.id FROM messages AS earlier
          WHERE earlier.version_of = messages.version_of AND earlier.seq < messages.seq AND earlier.content = messages.content
          ORDER BY earlier.seq LIMIT 1
      ) WHERE version_of IS NOT NULL`,
    ],
  },
];
