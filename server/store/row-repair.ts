/**
 * Makes rows consistent again after changes were lost in a damaged log. Everything that was accepted and can still be
 * read stays; where its chat, question or workspace is gone, it gets a new one. Nothing that may already have been done
 * is repeated: a reply that is missing or half written counts as failed, and people can retry it.
 */
import type { MemoryDatabase } from './database.ts';

const LOST_QUESTION = '[This message was lost: the file that held it was damaged.]';
const LOST_REPLY = 'This reply was lost: the file that held it was damaged. Try again.';

const IS_AT_REST = "chat_id IN (SELECT id FROM chats WHERE status IN ('idle', 'failed', 'stopped'))";
/** Ends replies that are not final. */
const FAIL_REPLIES = `UPDATE messages SET status = 'error', error_code = 'interrupted', error_message = ?
  WHERE role = 'assistant' AND status IN ('pending', 'streaming')`;
/** A `seq` after all messages, for each row that a statement adds. */
const AT_THE_END = '(SELECT max(seq) FROM messages) + row_number() OVER ()';

/** The order matters: each relies on those before it. */
const REPAIRS: readonly (readonly [sql: string, ...params: string[]])[] = [
  // A chat whose creation is missing is rebuilt from its messages. During an import, messages come before their chat;
  // the next start removes those (import-repository.ts).
  [
    `INSERT INTO chats (id, workspace_id, agent_type, title, title_source, status, model, created_at, updated_at)
      SELECT chat_id, min(workspace_id), 'orchestrator', 'Recovered chat', 'default',
        CASE WHEN max(status = 'streaming' OR (role = 'assistant' AND status = 'pending')) THEN 'processing'
          WHEN max(status = 'pending') THEN 'pending' ELSE 'idle' END,
        coalesce(max(model), 'offline-assistant'), min(created_at), max(created_at)
      FROM messages WHERE chat_id NOT IN (SELECT id FROM chats) AND chat_id NOT IN
        (SELECT j.value FROM settings, json_each(settings.value) AS j WHERE settings.name = 'importUnderWay')
      GROUP BY chat_id`,
  ],
  [
    `INSERT INTO workspaces (id, name, created_at) SELECT workspace_id, 'Recovered', min(created_at) FROM chats
      WHERE workspace_id NOT IN (SELECT id FROM workspaces) GROUP BY workspace_id`,
  ],
  [
    `UPDATE chats SET project_id = NULL WHERE project_id IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM projects AS p WHERE p.workspace_id = chats.workspace_id AND p.id = project_id)`,
  ],
  [
    'UPDATE messages SET hidden_by = NULL WHERE hidden_by IS NOT NULL AND hidden_by NOT IN (SELECT id FROM messages)',
  ],
  // Every reply needs its question, which gets the nearest free place before it.
  [
    `INSERT INTO messages (seq, id, chat_id, workspace_id, role, content, status, mode, created_at)
      SELECT coalesce(
          (SELECT b.seq + 1 FROM (SELECT 0 AS seq UNION ALL SELECT seq FROM messages) AS b WHERE b.seq < reply.seq - 1
            AND NOT EXISTS (SELECT 1 FROM messages WHERE seq = b.seq + 1) ORDER BY b.seq DESC LIMIT 1),
          ${AT_THE_END}),
        reply_to, chat_id, workspace_id, 'user', ?, 'complete', 'agent', created_at
      FROM messages AS reply WHERE role = 'assistant' AND reply_to NOT IN (SELECT id FROM messages)
        AND chat_id IN (SELECT id FROM chats) GROUP BY reply_to`,
    LOST_QUESTION,
  ],
  // It is no longer known what there is to answer.
  [
    `${FAIL_REPLIES} AND reply_to IN (SELECT id FROM messages WHERE role = 'user' AND content = ?)`,
    LOST_REPLY,
    LOST_QUESTION,
  ],
  [`${FAIL_REPLIES} AND ${IS_AT_REST}`, LOST_REPLY],
  // Questions that seem to wait in an idle chat were answered; the reply is missing.
  [
    `INSERT INTO messages (seq, id, chat_id, workspace_id, role, content, status, error_code, error_message, reply_to, created_at)
      SELECT CASE WHEN EXISTS (SELECT 1 FROM messages WHERE seq = question.seq + 1) THEN ${AT_THE_END}
          ELSE question.seq + 1 END,
        id || '-lost', chat_id, workspace_id, 'assistant', '', 'error', 'interrupted', ?, id, created_at
      FROM messages AS question WHERE role = 'user' AND status = 'pending' AND ${IS_AT_REST}
        AND NOT EXISTS (SELECT 1 FROM messages WHERE reply_to = question.id)`,
    LOST_REPLY,
  ],
  [`UPDATE messages SET status = 'complete' WHERE role = 'user' AND status = 'pending' AND ${IS_AT_REST}`],
  ['DELETE FROM files WHERE message_id IS NOT NULL AND message_id NOT IN (SELECT id FROM messages)'],
];

/** Repairs incomplete rows, if the schema is Parley's. Call it once everything readable has been replayed. */
export function mendRows(database: MemoryDatabase): void {
  const index = database.get<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = 'messages_found'");
  if (index === null) return;
  database.begin();
  for (const [sql, ...params] of REPAIRS) database.run(sql, params);
  // The index may no longer match the rows: it is rebuilt, after everything else.
  database.run('DROP TABLE messages_found');
  database.run(index.sql);
  database.run('UPDATE search_index SET indexed_to = 0');
  database.commit();
}
