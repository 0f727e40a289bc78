/** A log in which each record in turn can't be read, under the real service: what is kept makes sense and goes on. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HEADER_BYTES, LOG_FORMAT, decodeHeader, readPieces } from '../../server/store/log-format.ts';
import { openStore } from '../../server/store/store.ts';
import type { Store } from '../../server/store/types.ts';
import type { Chat } from '../../shared/api/chat.ts';
import { everyNth } from '../support/effort.ts';
import { createTempDir, startTestService } from '../support/service.ts';

const QUESTIONS = [
  'What is 2 + 3?',
  'Remember that the spare key is with Anna.',
  'What is 7 * 6?',
  'Thanks!',
];

/** A store of chats with four answered messages each and all kinds of changes, and where its records stand. */
async function makeStore(chats: string[]): Promise<{
  dataDir: string;
  log: Buffer;
  records: { start: number; end: number }[];
}> {
  const dataDir = await createTempDir();
  const api = await startTestService({ dataDir });
  for (const name of chats) {
    const chat = await api.createChat();
    for (const question of QUESTIONS) {
      await api.send(chat.id, `${question} (${name})`);
      await api.settled(chat.id);
    }
    const path = `/api/v1/chats/${chat.id}`;
    const changes: [method: string, path: string, json?: unknown][] = [
      ['PATCH', path, { title: `About ${name}`, pinned: true }],
      ['POST', `${path}/retry`],
      ['PUT', `/api/v1/drafts/${chat.id}`, { text: 'Not sent', updatedAt: new Date().toISOString() }],
      ['POST', '/api/v1/keys', { name }],
      ['POST', '/api/v1/workspaces', { name }],
      ['PATCH', '/api/v1/settings', { nameChats: false }],
      ['DELETE', path],
      ['POST', `${path}/restore`],
    ];
    for (const [method, at, json] of changes) {
      const { status, text } = await api.request({ method, path: at, json });
      expect(status, `${method} ${at}: ${text}`).toBeLessThan(300);
      if (at.endsWith('/retry')) await api.settled(chat.id);
    }
  }
  await api.service.close();
  const log = await readFile(join(dataDir, 'store', 'log-1'));
  const header = decodeHeader(log);
  if (header.kind !== 'known') throw new Error('The log has no header.');
  expect(header.format).toBe(LOG_FORMAT);
  let start = HEADER_BYTES;
  const records = [...readPieces(log, header.chain, 0)].flatMap((piece) => {
    if (piece.kind !== 'record') return [];
    const record = { start, end: piece.record.end };
    start = record.end;
    return [record];
  });
  return { dataDir, log, records };
}

interface Row {
  id: string;
  chatId: string;
  role: string;
  content: string;
  status: string;
  replyTo: string | null;
}

const rowsOf = (store: Store): Row[] =>
  store.read((reader) =>
    reader.all<Row>(
      'SELECT id, chat_id AS chatId, role, content, status, reply_to AS replyTo FROM messages ORDER BY seq',
    ),
  );

/** What a person would call nonsense. */
function expectSense(store: Store): void {
  const rows = rowsOf(store);
  const chats = store.read((reader) =>
    reader.all<Chat>('SELECT id, workspace_id AS workspaceId, status FROM chats'),
  );
  const workspaces = store.read((reader) => reader.all<{ id: string }>('SELECT id FROM workspaces'));
  for (const { workspaceId } of chats) expect(workspaces.map(({ id }) => id)).toContain(workspaceId);
  for (const row of rows) {
    const chat = chats.find(({ id }) => id === row.chatId);
    expect(chat).toBeDefined();
    if (row.role === 'user') {
      const isAnswered = rows.some(({ replyTo }) => replyTo === row.id);
      if (chat?.status === 'idle')
        expect({ isAnswered, status: row.status }).toEqual({ isAnswered: true, status: 'complete' });
      continue;
    }
    const question = rows.findIndex(({ id }) => id === row.replyTo);
    expect(question).toBeGreaterThanOrEqual(0);
    expect(question).toBeLessThan(rows.indexOf(row));
    if (chat?.status === 'idle') expect(['complete', 'error']).toContain(row.status);
  }
}

it(
  'loses what that record said and nothing else, and leaves no reply without its message',
  { timeout: 180_000 },
  async () => {
    const { dataDir, log, records } = await makeStore(['one']);
    expect(records.length).toBeGreaterThan(20);
    const whole = await openStore({ dir: join(dataDir, 'store') });
    const asked = rowsOf(whole).filter(({ role }) => role === 'user');
    // What was tried again stands there twice.
    const sent = asked.filter((row) =>
      asked.every((other) => other === row || other.content !== row.content),
    );
    expect(sent).toHaveLength(QUESTIONS.length - 1);
    await whole.close();
    const root = await createTempDir();
    let lostMessages = 0;
    for (const [index, { start, end }] of records.entries()) {
      const dir = join(root, `${index}`);
      await mkdir(dir);
      await writeFile(join(dir, 'log-1'), Buffer.from(log).fill(0, start, end));
      const warnings: string[] = [];
      const store = await openStore({ dir, warn: (message) => warnings.push(message) });
      expectSense(store);
      const contents = rowsOf(store).map(({ content }) => content);
      const lost = sent.filter(({ content }) => !contents.includes(content));
      expect(lost.length, `record ${index + 1}`).toBeLessThanOrEqual(1);
      lostMessages += lost.length;
      if (index < records.length - 1) expect(warnings.join()).toContain('log-1.damaged-1');
      await store.close();
    }
    // Each of the records of the sends was the one that is missing once.
    expect(lostMessages).toBe(sent.length);
  },
);

it(
  'starts, answers what still waits, and takes messages again, whichever record it is',
  { timeout: 180_000 },
  async () => {
    const { dataDir, log, records } = await makeStore(['one', 'two']);
    for (let index = 0; index < records.length; index += everyNth(30)) {
      const copy = await createTempDir();
      await cp(dataDir, copy, { recursive: true });
      const { start, end } = records[index] ?? { start: 0, end: 0 };
      await writeFile(join(copy, 'store', 'log-1'), Buffer.from(log).fill(0, start, end));
      const api = await startTestService({ dataDir: copy });
      const listed = (await api.get('/api/v1/chats')).json<{ data: Chat[] }>().data;
      for (const chat of listed) {
        await api.settled(chat.id);
        await api.messages(chat.id);
        await api.send(chat.id, 'What is 5 * 5?');
        expect(await api.settled(chat.id)).toMatchObject({ status: 'idle' });
        expect((await api.messages(chat.id)).at(-1)?.content).toContain('25');
      }
      expect((await api.get('/api/v1/search?q=spare')).status).toBe(200);
      await api.service.close();
    }
  },
);
