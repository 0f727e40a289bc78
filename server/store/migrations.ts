/**
 * The schema, as numbered steps that only add. Each runs in one transaction; `user_version` holds the last that ran.
 * A step that has been released is never edited: the next change is the next number.
 */

/** The statements of one step. */
export type Migration = readonly string[];

/** For searches that find more: the index, and the words of titles, are made anew. */
const REINDEX: Migration = [
  `UPDATE search_index SET indexed_to = 0`,
  `UPDATE chats SET title_folded = NULL WHERE title_folded IS NOT NULL`,
];

/** All steps, in order; the first is number 1. */
export const MIGRATIONS: readonly Migration[] = [
  // 1: chats, messages, keys and notes.
  [
    `CREATE TABLE workspaces (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL
    )`,
    `CREATE TABLE keys (
      id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, prefix TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, workspace_id TEXT, created_at TEXT NOT NULL,
      last_used_at TEXT, expires_at TEXT, revoked_at TEXT
    )`,
    `CREATE TABLE settings (
      name TEXT PRIMARY KEY, value TEXT NOT NULL
    )`,
    `CREATE TABLE chats (
      id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, agent_type TEXT NOT NULL, title TEXT NOT NULL,
      title_source TEXT NOT NULL, status TEXT NOT NULL, model TEXT NOT NULL,
      pinned INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0, last_progress_at TEXT, created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL, deleted_at TEXT
    )`,
    `CREATE INDEX chats_listed ON chats (workspace_id, updated_at DESC, id, archived) WHERE deleted_at IS NULL`,
    `CREATE INDEX chats_unsettled ON chats (status) WHERE status IN ('pending', 'processing', 'completed')`,
    // seq orders messages; content_json is 1 where the text is kept as a JSON string (see message-repository.ts).
    `CREATE TABLE messages (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, chat_id TEXT NOT NULL,
      workspace_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
      content_json INTEGER NOT NULL DEFAULT 0, status TEXT NOT NULL, mode TEXT, model TEXT, steps TEXT,
      error_code TEXT, error_message TEXT, usage TEXT, stop_reason TEXT, reply_to TEXT,
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
      id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, text TEXT NOT NULL, created_at TEXT NOT NULL
    )`,
    `CREATE INDEX notes_of_workspace ON notes (workspace_id, created_at DESC)`,
    `CREATE TABLE idempotency (
      chat_id TEXT NOT NULL, idempotency_key TEXT NOT NULL, request_digest TEXT NOT NULL,
      response TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (chat_id, idempotency_key)
    ) WITHOUT ROWID`,
    `CREATE INDEX idempotency_by_age ON idempotency (created_at)`,
  ],
  // 2: versions of messages, deleting, unread marks and drafts.
  [
    // A user message that has versions names the first of them (the first names itself). hidden_by is the version that
    // has to be chosen for the message to be listed; null: it is listed. See version-repository.ts.
    `ALTER TABLE messages ADD COLUMN version_of TEXT`,
    `ALTER TABLE messages ADD COLUMN hidden_by TEXT`,
    `ALTER TABLE messages ADD COLUMN deleted_at TEXT`,
    `CREATE INDEX messages_versions ON messages (version_of, seq) WHERE version_of IS NOT NULL`,
    `CREATE INDEX messages_hidden ON messages (hidden_by) WHERE hidden_by IS NOT NULL`,
    `CREATE INDEX messages_deleted ON messages (deleted_at) WHERE deleted_at IS NOT NULL`,
    `ALTER TABLE chats ADD COLUMN unread INTEGER NOT NULL DEFAULT 0`,
    // Rises when messages are hidden, shown, deleted or restored: a list of messages from before is then no use.
    `ALTER TABLE chats ADD COLUMN structure INTEGER NOT NULL DEFAULT 0`,
    `CREATE INDEX chats_pinned ON chats (workspace_id, updated_at DESC, id) WHERE pinned = 1 AND deleted_at IS NULL`,
    `CREATE INDEX chats_deleted ON chats (deleted_at) WHERE deleted_at IS NOT NULL`,
    `CREATE TABLE drafts (
      workspace_id TEXT NOT NULL, chat_key TEXT NOT NULL, text TEXT NOT NULL, updated_at TEXT NOT NULL,
      PRIMARY KEY (workspace_id, chat_key)
    ) WITHOUT ROWID`,
    // What pages came back with after a restart, until version 9.
    `CREATE TABLE page_returns (
      digest TEXT PRIMARY KEY, key_digest TEXT, expires_at TEXT NOT NULL
    ) WITHOUT ROWID`,
  ],
  // 3: counting unread chats.
  [`CREATE INDEX chats_unread ON chats (id) WHERE unread = 1 AND archived = 0 AND deleted_at IS NULL`],
  // 4: connected models.
  [
    // Keys are kept elsewhere (server/secrets/); has_key says that one belongs to it. models: JSON, as listed last.
    `CREATE TABLE connections (
      id TEXT PRIMARY KEY, provider TEXT NOT NULL, name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE,
      base_url TEXT, has_key INTEGER NOT NULL DEFAULT 0, models TEXT NOT NULL DEFAULT '[]',
      models_listed_at TEXT, created_at TEXT NOT NULL
    )`,
    // Agents that people made. tools: JSON, "all" or a list of names.
    `CREATE TABLE agents (
      agent_type TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL,
      instructions TEXT NOT NULL, model TEXT, tools TEXT NOT NULL, step_limit INTEGER NOT NULL,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL
    ) WITHOUT ROWID`,
    `ALTER TABLE workspaces ADD COLUMN default_model TEXT`,
    `ALTER TABLE messages ADD COLUMN reasoning TEXT`,
  ],
  // 5: tools that reach out, and summaries.
  [
    // Calls of a turn under way that change something or ask first; gone once its reply is final (server/turns/). input
    // and output: JSON. A call that was answered or begun is never silently made twice. basis: what the person's answer
    // was based on, such as the state of a file.
    `CREATE TABLE tool_calls (
      id TEXT PRIMARY KEY, reply_id TEXT NOT NULL, chat_id TEXT NOT NULL, tool TEXT NOT NULL,
      input TEXT NOT NULL, state TEXT NOT NULL, output TEXT, error TEXT, created_at TEXT NOT NULL,
      expires_at TEXT, basis TEXT
    )`,
    `CREATE INDEX tool_calls_of_reply ON tool_calls (reply_id)`,
    // Tools that a person always allowed.
    `CREATE TABLE tool_permissions (
      tool TEXT PRIMARY KEY, created_at TEXT NOT NULL
    ) WITHOUT ROWID`,
    // Folders that a person allowed tools to work in. name: what models call it.
    `CREATE TABLE folders (
      id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL
    )`,
    // Their secrets (environment, headers) are kept elsewhere (server/secrets/); their names stand in secret_names.
    // args, secret_names, agents, tools: JSON; tools as listed last.
    `CREATE TABLE mcp_servers (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE, transport TEXT NOT NULL,
      command TEXT, args TEXT NOT NULL DEFAULT '[]', url TEXT, secret_names TEXT NOT NULL DEFAULT '[]',
      enabled INTEGER NOT NULL DEFAULT 1, agents TEXT NOT NULL, tools TEXT NOT NULL DEFAULT '[]',
      tools_listed_at TEXT, created_at TEXT NOT NULL
    )`,
    // What the model gets in place of a chat's user messages up to one (upto_seq, upto_id) and their replies.
    // made_at_seq: the last message of the chat when it was made.
    `CREATE TABLE summaries (
      id TEXT PRIMARY KEY, chat_id TEXT NOT NULL, upto_seq INTEGER NOT NULL, upto_id TEXT NOT NULL,
      made_at_seq INTEGER NOT NULL, text TEXT NOT NULL, model TEXT NOT NULL, created_at TEXT NOT NULL
    )`,
    `CREATE INDEX summaries_of_chat ON summaries (chat_id, upto_seq)`,
    // Lists from Ollama gave the most that its models could read, which no longer counts (server/connections/).
    `UPDATE connections SET models_listed_at = NULL WHERE provider = 'ollama'`,
  ],
  // 6: searches and lists that take the same time in a large store.
  [
    // Newest first, as searches want it: then they read only as much of the index as they need.
    `DROP TABLE messages_found`,
    `CREATE VIRTUAL TABLE messages_found USING fts4(content="messages", content, tokenize=unicode61, order=desc)`,
    // Merges parts of the index a little with each write, instead of many at once now and then.
    `INSERT INTO messages_found (messages_found) VALUES ('automerge=8')`,
    `UPDATE search_index SET indexed_to = 0`,
    // The title in lower case and without diacritics; null: it is ASCII, or not normalised yet (see title-repository.ts).
    `ALTER TABLE chats ADD COLUMN title_folded TEXT`,
    `CREATE INDEX chats_unfolded ON chats (id) WHERE title_folded IS NULL AND title GLOB '*[^ -~]*'`,
    `CREATE TRIGGER chats_retitled AFTER UPDATE OF title ON chats WHEN new.title <> old.title
      BEGIN UPDATE chats SET title_folded = NULL WHERE id = new.id; END`,
    `CREATE INDEX chats_of_agent ON chats (workspace_id, agent_type, updated_at DESC, id, archived)
      WHERE deleted_at IS NULL`,
  ],
  // 7: what keys may have done.
  [
    // A key of scope chat only chats unless it was given these when it was made.
    `ALTER TABLE keys ADD COLUMN reach INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE keys ADD COLUMN approve INTEGER NOT NULL DEFAULT 0`,
    // On user messages: which tools the turn gets (ToolReach), by the key that sent it; null: all.
    `ALTER TABLE messages ADD COLUMN tool_reach TEXT`,
  ],
  // 8: what “always” holds for.
  [
    // See tool-permission-repository.ts. Earlier answers, in tool_permissions, counted everywhere; people are asked again.
    `CREATE TABLE allowances (
      id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, tool TEXT NOT NULL, place TEXT NOT NULL,
      place_name TEXT NOT NULL, described TEXT NOT NULL, created_at TEXT NOT NULL,
      UNIQUE (workspace_id, tool, place)
    )`,
    // What “always” would be about, of a call that a person is asked about; null: it can't be remembered.
    `ALTER TABLE tool_calls ADD COLUMN place TEXT`,
    `ALTER TABLE tool_calls ADD COLUMN place_name TEXT`,
    `ALTER TABLE tool_calls ADD COLUMN described TEXT`,
  ],
  // 9: headers of connections, and files that tools give.
  [
    // Names alone; their values are secrets.
    `ALTER TABLE connections ADD COLUMN header_names TEXT NOT NULL DEFAULT '[]'`,
    // What tools gave besides their output; data is base64. The steps of the reply name them.
    `CREATE TABLE step_files (
      id TEXT PRIMARY KEY, chat_id TEXT NOT NULL, message_id TEXT NOT NULL, call_id TEXT NOT NULL,
      position INTEGER NOT NULL, name TEXT NOT NULL, media_type TEXT NOT NULL, bytes INTEGER NOT NULL,
      data TEXT NOT NULL
    )`,
    `CREATE INDEX step_files_of_message ON step_files (message_id)`,
  ],
  // 10: browsers that prove who they are.
  [
    // A token could be replayed by any server it was sent to.
    `DELETE FROM page_returns`,
    // See server/auth/browsers.ts.
    `CREATE TABLE browsers (
      id TEXT PRIMARY KEY, public_key TEXT NOT NULL, address TEXT NOT NULL, name TEXT NOT NULL,
      key_digest TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT NOT NULL
    ) WITHOUT ROWID`,
  ],
  // 11: webhooks of keys.
  [
    // Where, as JSON; null: none. The secret is kept with the other secrets.
    `ALTER TABLE keys ADD COLUMN webhook TEXT`,
    // Turns whose end is to be reported to a key's webhook, and ended ones not yet reported (server/events/webhooks.ts).
    `CREATE TABLE webhook_events (
      id TEXT PRIMARY KEY, key_id TEXT NOT NULL, message_id TEXT NOT NULL, body TEXT,
      attempts INTEGER NOT NULL, due_at_ms INTEGER NOT NULL
    ) WITHOUT ROWID`,
  ],
  // 12: parameters of models.
  [
    // JSON (shared/api/parameters.ts); null: none. A model asked for one message alone is in its `model`.
    `ALTER TABLE messages ADD COLUMN parameters TEXT`,
    `ALTER TABLE chats ADD COLUMN parameters TEXT`,
    `ALTER TABLE agents ADD COLUMN parameters TEXT`,
  ],
  // 13: files of messages.
  [
    // One row for each file of each message, and for each upload that no message has yet (message_id is null then). The
    // bytes lie beside the store, under their SHA-256 (files/blob-folder.ts).
    `CREATE TABLE files (
      id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, message_id TEXT, sha256 TEXT NOT NULL, name TEXT NOT NULL,
      kind TEXT NOT NULL, media_type TEXT NOT NULL, bytes INTEGER NOT NULL, width INTEGER, height INTEGER,
      created_at TEXT NOT NULL
    )`,
    `CREATE INDEX files_of_message ON files (message_id) WHERE message_id IS NOT NULL`,
    `CREATE INDEX files_unsent ON files (created_at) WHERE message_id IS NULL`,
    `CREATE INDEX files_by_bytes ON files (sha256, bytes)`,
    // The same as clients get it, in order: JSON (shared/api/attachment.ts); null: none.
    `ALTER TABLE messages ADD COLUMN attachments TEXT`,
  ],
  // 14: projects, and chats that move.
  [
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
  // 15: prompts.
  [
    `CREATE TABLE prompts (
      id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL
    )`,
    `CREATE INDEX prompts_of_workspace ON prompts (workspace_id)`,
  ],
  // 16: all workspaces that a chat was moved out of.
  [
    `ALTER TABLE chats RENAME COLUMN left_workspace_id TO left_workspace_ids`,
    `UPDATE chats SET left_workspace_ids = json_array(left_workspace_ids) WHERE left_workspace_ids IS NOT NULL`,
  ],
  // 17: measured times of replies.
  [
    // JSON (Timing in shared/api/message.ts); null: nothing was measured.
    `ALTER TABLE messages ADD COLUMN timing TEXT`,
  ],
  // 18: which versions are retries.
  [
    // The version whose question this one asks once more, itself no retry; null: the first version, or an edit.
    `ALTER TABLE messages ADD COLUMN retry_of TEXT`,
    // It wasn't stored before. A version with the same text as an earlier one is almost always a retry of it.
    `UPDATE messages SET retry_of = (
      SELECT earlier.id FROM messages AS earlier
        WHERE earlier.version_of = messages.version_of AND earlier.seq < messages.seq AND earlier.content = messages.content
        ORDER BY earlier.seq LIMIT 1
    ) WHERE version_of IS NOT NULL`,
  ],
  // 19: long branches that are hidden and shown in slices.
  [
    // See branch-change-repository.ts.
    `CREATE TABLE unsettled_versions (
      id TEXT PRIMARY KEY, chat_id TEXT NOT NULL
    ) WITHOUT ROWID`,
  ],
  // 20: long chats and large stores that hold nobody up.
  [
    // A full-text index for each range of messages takes its place; search-index-repository.ts makes them.
    `DROP TABLE messages_found`,
    `UPDATE search_index SET indexed_to = 0`,
    // See LINKED in listed.ts.
    `CREATE INDEX messages_linked ON messages (chat_id, seq, hidden_by, deleted_at)
      WHERE coalesce(version_of, hidden_by, deleted_at) IS NOT NULL`,
    `CREATE INDEX messages_with_files ON messages (chat_id) WHERE attachments IS NOT NULL`,
  ],
  // 21: how long a connection's models may take to begin.
  [
    // Null: as long as usual.
    `ALTER TABLE connections ADD COLUMN first_word_seconds INTEGER`,
  ],
  // 22: the rounds of replies with tools.
  [
    // JSON (Round in shared/growth.ts); null: the reply called no tools, or an earlier version made it.
    `ALTER TABLE messages ADD COLUMN rounds TEXT`,
  ],
  // 23: searches that mind no accents, and find words of any script.
  [
    // The tables of indexes before are dropped when their successors are made; see search-index-repository.ts.
    `CREATE VIEW message_words AS SELECT seq AS rowid, search_words(content, content_json) AS words FROM messages`,
    ...REINDEX,
  ],
  // 24: skills.
  [
    `CREATE TABLE skill_folders (id TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL)`,
    `CREATE TABLE skills (
      id TEXT PRIMARY KEY, path TEXT NOT NULL, folder_id TEXT, name TEXT NOT NULL, description TEXT NOT NULL,
      version TEXT NOT NULL, agents TEXT NOT NULL, created_at TEXT NOT NULL
    )`,
  ],
  // 25: what a stored response repeats of its request.
  [
    // JSON, on user messages that came with POST /v1/responses; null on all others.
    `ALTER TABLE messages ADD COLUMN echo TEXT`,
  ],
  // 26: scheduled messages.
  [
    // Columns are explained in schedule-repository.ts.
    `CREATE TABLE schedules (
      id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, content TEXT NOT NULL, mode TEXT NOT NULL, timing TEXT NOT NULL, at TEXT,
      cron TEXT, time_zone TEXT NOT NULL, chat_id TEXT, project_id TEXT, agent_type TEXT, model TEXT, key_id TEXT, reach INTEGER NOT NULL,
      allowed TEXT NOT NULL, paused INTEGER NOT NULL, since TEXT NOT NULL, next_at TEXT, created_at TEXT NOT NULL
    ) WITHOUT ROWID`,
    `CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL AND paused = 0`,
    `CREATE TABLE schedule_runs (
      seq INTEGER PRIMARY KEY, schedule_id TEXT NOT NULL, due_at TEXT, ran_at TEXT NOT NULL, chat_id TEXT, message_id TEXT, state TEXT NOT NULL,
      error TEXT, UNIQUE (schedule_id, due_at)
    )`,
    `CREATE INDEX schedule_runs_by_message ON schedule_runs (message_id) WHERE message_id IS NOT NULL`,
  ],
  // 27: searches for signs, flags and words with signs in them that nobody sees.
  REINDEX,
  // 28: searches for C++ and arrows, words with bold letters in them, kana of either kind and digits of any script.
  REINDEX,
  // 29: fewer indexes that every send changes.
  [
    `DROP INDEX chats_listed`,
    `DROP INDEX chats_of_agent`,
    `DROP INDEX chats_of_project`,
    `CREATE INDEX chats_listed ON chats (workspace_id, updated_at DESC, id, archived, agent_type, project_id)
      WHERE deleted_at IS NULL`,
    `CREATE INDEX chats_of_project ON chats (workspace_id, project_id, updated_at DESC, id, archived)
      WHERE deleted_at IS NULL AND project_id IS NOT NULL`,
  ],
  // 30: searches for the number of a version and for either word beside a power.
  REINDEX,
  // 31: searches for Arabic words with a letter that is also written as another.
  REINDEX,
  // 32: searches for numbers behind 0x, for fractions and degrees written as one sign, and words that may break within.
  REINDEX,
  // 33: searches for a word that others write with a sign within.
  [
    ...REINDEX,
    `DROP INDEX chats_unfolded`,
    `CREATE INDEX chats_unfolded ON chats (id) WHERE title_folded IS NULL AND (title GLOB '*[^ -~]*' OR title GLOB '*[a-zA-Z][-._''][a-zA-Z]*')`,
  ],
];
