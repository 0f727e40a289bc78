/**
 * Rows that make sense again after changes were lost in a damaged log. What was accepted and can still be read stays: it
 * gets a chat, a question or a workspace to belong to where its own is gone. Nothing is done anew by itself that may have
 * been done before: a reply that is missing or half written counts as failed, and a person can try it again.
 */
import type { MemoryDatabase } from './database.ts';
import { createMessage, type NewMessage } from './message-repository.ts';

const LOST_QUESTION = '[This message was lost: the file that held it was damaged.]';
const LOST_REPLY = 'This reply was lost: the file that held it was damaged. Try again.';

/** Notes from here on which chats are removed for good: their messages must not come back. */
export function watchErasures(database: MemoryDatabase): void {
  if (!hasSchema(database)) return;
  database.run('CREATE TEMP TABLE IF NOT EXISTS erased_chats (id TEXT PRIMARY KEY)');
  database.run(`CREATE TEMP TRIGGER IF NOT EXISTS chat_erased AFTER DELETE ON main.chats
    BEGIN INSERT OR IGNORE INTO erased_chats VALUES (OLD.id); END`);
}

/** Mends what lacks something. Call it once all that can be read is in. */
export function mendRows(database: MemoryDatabase): void {
  if (!hasSchema(database)) return;
  database.begin();
  removeErased(database);
  addChats(database);
  addWorkspaces(database);
  leaveProjects(database);
  database.run(
    'UPDATE messages SET hidden_by = NULL WHERE hidden_by IS NOT NULL AND hidden_by NOT IN (SELECT id FROM messages)',
  );
  addQuestions(database);
  failReplies(database, IS_AT_REST);
  addReplies(database);
  removeFiles(database);
  indexAnew(database);
  database.commit();
}

const hasSchema = (database: MemoryDatabase): boolean =>
  database.get("SELECT 1 FROM sqlite_schema WHERE name = 'search_index'") !== null;

function removeErased(database: MemoryDatabase): void {
  database.run('CREATE TEMP TABLE IF NOT EXISTS erased_chats (id TEXT PRIMARY KEY)');
  database.run('DELETE FROM messages WHERE chat_id IN (SELECT id FROM erased_chats)');
}

/** A file goes with its message; older stores have none. */
function removeFiles(database: MemoryDatabase): void {
  if (database.get("SELECT 1 FROM sqlite_schema WHERE name = 'files'") === null) return;
  database.run(
    'DELETE FROM files WHERE message_id IS NOT NULL AND message_id NOT IN (SELECT id FROM messages)',
  );
}

/** Of a chat that is being brought in the messages come first; the next start clears them away (import-repository.ts). */
const NO_CHAT = `chat_id NOT IN (SELECT id FROM chats) AND chat_id NOT IN
  (SELECT j.value FROM settings, json_each(settings.value) AS j WHERE settings.name = 'importUnderWay')`;

/** A chat whose making is missing. It is taken up by itself as its messages say, which are all there. */
function addChats(database: MemoryDatabase): void {
  database.run(
    `INSERT INTO chats (id, workspace_id, agent_type, title, title_source, status, model, created_at, updated_at)
      SELECT chat_id, min(workspace_id), 'orchestrator', 'Recovered chat', 'default',
        CASE WHEN max(status = 'streaming' OR (role = 'assistant' AND status = 'pending')) THEN 'processing'
          WHEN max(status = 'pending') THEN 'pending' ELSE 'idle' END,
        coalesce(max(model), 'offline-assistant'), min(created_at), max(created_at)
      FROM messages WHERE ${NO_CHAT} GROUP BY chat_id`,
  );
}

/** A chat whose project is missing would stand in no list by projects; older stores have none. */
function leaveProjects(database: MemoryDatabase): void {
  if (database.get("SELECT 1 FROM sqlite_schema WHERE name = 'projects'") === null) return;
  database.run(
    `UPDATE chats SET project_id = NULL WHERE project_id IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM projects AS p WHERE p.workspace_id = chats.workspace_id AND p.id = project_id)`,
  );
}

function addWorkspaces(database: MemoryDatabase): void {
  database.run(
    `INSERT INTO workspaces (id, name, created_at) SELECT workspace_id, 'Recovered', min(created_at) FROM chats
      WHERE workspace_id NOT IN (SELECT id FROM workspaces) GROUP BY workspace_id`,
  );
}

interface Row {
  seq: number;
  id: string;
  chatId: string;
  workspaceId: string;
  replyTo: string | null;
  createdAt: string;
}
const COLUMNS =
  'm.seq, m.id, m.chat_id AS chatId, m.workspace_id AS workspaceId, m.reply_to AS replyTo, m.created_at AS createdAt';

/** A question where one is missing: no reply stands without. */
function addQuestions(database: MemoryDatabase): void {
  const replies = database.all<Row>(
    `SELECT ${COLUMNS} FROM messages m WHERE m.role = 'assistant' AND m.reply_to IS NOT NULL
      AND m.reply_to NOT IN (SELECT id FROM messages) AND m.chat_id IN (SELECT id FROM chats) GROUP BY m.reply_to`,
  );
  for (const reply of replies) {
    const question = messageBeside(reply, { id: reply.replyTo ?? '', role: 'user', content: LOST_QUESTION });
    place(database, question, freeBefore(database, reply.seq));
    // Nobody knows any more what there is to answer.
    failReplies(database, 'reply_to = ?', [question.id]);
  }
}

/** Ends those of some replies that are not final. */
function failReplies(database: MemoryDatabase, which: string, params: string[] = []): void {
  database.run(
    `UPDATE messages SET status = 'error', error_code = 'interrupted', error_message = ?
      WHERE role = 'assistant' AND status IN ('pending', 'streaming') AND ${which}`,
    [LOST_REPLY, ...params],
  );
}

/** Questions of chats that are at rest which seem to wait: they were answered, and the answer is missing. */
function addReplies(database: MemoryDatabase): void {
  const questions = database.all<Row>(
    `SELECT ${COLUMNS} FROM messages m WHERE m.role = 'user' AND m.status = 'pending' AND ${IS_AT_REST}`,
  );
  for (const question of questions) {
    database.run("UPDATE messages SET status = 'complete' WHERE seq = ?", [question.seq]);
    if (database.get('SELECT 1 FROM messages WHERE reply_to = ?', [question.id])) continue;
    const reply = messageBeside(question, {
      id: `${question.id}-lost`,
      role: 'assistant',
      content: '',
      status: 'error',
      error: { code: 'interrupted', message: LOST_REPLY },
      replyTo: question.id,
    });
    place(database, reply, isFree(database, question.seq + 1) ? question.seq + 1 : null);
  }
}

const IS_AT_REST = "chat_id IN (SELECT id FROM chats WHERE status IN ('idle', 'failed', 'stopped'))";

const messageBeside = (
  row: Row,
  message: Pick<NewMessage, 'id' | 'role' | 'content'> & Partial<NewMessage>,
): NewMessage => ({
  status: 'complete',
  mode: message.role === 'user' ? 'agent' : null,
  chatId: row.chatId,
  workspaceId: row.workspaceId,
  createdAt: row.createdAt,
  ...message,
});

/** Stores a message at the end, or at the place that is missing. */
function place(database: MemoryDatabase, message: NewMessage, seq: number | null): void {
  const writer = {
    ...database,
    run: (sql: string, params?: Parameters<MemoryDatabase['run']>[1]) => database.run(sql, params).changes,
  };
  const last = createMessage(writer, message);
  if (seq !== null) database.run('UPDATE messages SET seq = ? WHERE seq = ?', [seq, last]);
}

const isFree = (database: MemoryDatabase, seq: number): boolean =>
  database.get('SELECT 1 FROM messages WHERE seq = ?', [seq]) === null;

/** The nearest place before one that nobody has; null: there is none. */
function freeBefore(database: MemoryDatabase, seq: number): number | null {
  for (let free = seq - 1; free > 0; free -= 1) if (isFree(database, free)) return free;
  return null;
}

/** The index may hold what the rows don't, or lack something: it is made anew, behind everything else. */
function indexAnew(database: MemoryDatabase): void {
  const found = database.get<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = 'messages_found'");
  if (!found) return;
  database.run('DROP TABLE messages_found');
  database.run(found.sql);
  database.run('UPDATE search_index SET indexed_to = 0');
}
