/**
 * Reference (b): the same job done plainly. Fastify and Node's own SQLite, one durable transaction (WAL,
 * synchronous=FULL) for each send and one for each reply, which is created right after the send was answered.
 */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import Fastify from 'fastify';

const db = new DatabaseSync(join(process.argv[2] ?? '.', 'plain.sqlite'));
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
db.exec(`CREATE TABLE IF NOT EXISTS chats (id TEXT PRIMARY KEY, title TEXT, status TEXT, model TEXT, createdAt TEXT,
    updatedAt TEXT, waiting INTEGER);
  CREATE INDEX IF NOT EXISTS chats_listed ON chats (updatedAt DESC, id);
  CREATE TABLE IF NOT EXISTS messages (seq INTEGER PRIMARY KEY, chatId TEXT, role TEXT, content TEXT, status TEXT,
    createdAt TEXT);
  CREATE INDEX IF NOT EXISTS messages_of_chat ON messages (chatId, seq);`);

const insertChat = db.prepare(`INSERT INTO chats VALUES (?, 'New chat', 'idle', 'plain', ?, ?, 0)`);
const findChat = db.prepare('SELECT id, title, status, model, createdAt, updatedAt FROM chats WHERE id = ?');
const listChats = db.prepare(
  'SELECT id, title, status, model, createdAt, updatedAt FROM chats ORDER BY updatedAt DESC, id LIMIT ? OFFSET ?',
);
const countChats = db.prepare('SELECT count(*) AS total FROM chats');
const listMessages = db.prepare(
  'SELECT role, content, status, createdAt FROM messages WHERE chatId = ? ORDER BY seq',
);
const insertMessage = db.prepare(
  'INSERT INTO messages (chatId, role, content, status, createdAt) VALUES (?, ?, ?, ?, ?)',
);
const chatSent = db.prepare(
  `UPDATE chats SET title = ?, status = 'pending', updatedAt = ?, waiting = waiting + 1 WHERE id = ?`,
);
const chatAnswered = db.prepare(
  `UPDATE chats SET waiting = waiting - 1, updatedAt = ?,
    status = CASE waiting WHEN 1 THEN 'idle' ELSE 'pending' END WHERE id = ?`,
);

function transaction(work: () => void): void {
  db.exec('BEGIN');
  work();
  db.exec('COMMIT');
}

function answer(chatId: string, content: string): void {
  const now = new Date().toISOString();
  transaction(() => {
    insertMessage.run(chatId, 'assistant', `You said: ${content}`, 'complete', now);
    chatAnswered.run(now, chatId);
  });
}

const idParams = { type: 'object', properties: { chatId: { type: 'string' } } };
const body = {
  type: 'object',
  required: ['content'],
  properties: { content: { type: 'string', minLength: 1 } },
};
const app = Fastify();

app.post('/api/v1/chats', (_request, reply) => {
  const id = randomUUID();
  const now = new Date().toISOString();
  insertChat.run(id, now, now);
  reply.code(201).send(findChat.get(id));
});
app.get('/api/v1/chats', (_request, reply) => {
  reply.send({ data: listChats.all(20, 0), total: countChats.get()?.total });
});
app.get<{ Params: { chatId: string } }>(
  '/api/v1/chats/:chatId',
  { schema: { params: idParams } },
  (request, reply) => {
    reply.send({ chat: findChat.get(request.params.chatId) });
  },
);
app.get<{ Params: { chatId: string } }>('/api/v1/chats/:chatId/messages', (request, reply) => {
  reply.send({ messages: listMessages.all(request.params.chatId) });
});
app.post<{ Params: { chatId: string }; Body: { content: string } }>(
  '/api/v1/chats/:chatId/messages',
  { schema: { params: idParams, body } },
  (request, reply) => {
    const { chatId } = request.params;
    const { content } = request.body;
    const now = new Date().toISOString();
    transaction(() => {
      insertMessage.run(chatId, 'user', content, 'complete', now);
      chatSent.run(content.slice(0, 60), now, chatId);
    });
    reply.send({ chat: findChat.get(chatId) });
    setImmediate(answer, chatId, content);
  },
);
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ baseUrl }));
process.once('SIGTERM', () => process.exit(0));
