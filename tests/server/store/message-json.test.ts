import { afterEach, beforeEach, expect, test } from 'vitest';
import { blankMessages } from '../../../server/store/erase-repository.ts';
import { listMessagesAsJson } from '../../../server/store/message-json.ts';
import { MIGRATIONS } from '../../../server/store/migrations.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import { openStore } from '../../../server/store/store.ts';
import type { Store } from '../../../server/store/types.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';
import { storedMessage } from '../../support/stored.ts';

let temp: TempStore;
let store: Store;
beforeEach(async () => {
  temp = await openTempStore();
  store = temp.store;
});
afterEach(() => temp.remove());

const list = (range = {}): unknown =>
  JSON.parse(store.read((reader) => listMessagesAsJson(reader, 'chat', range))) as unknown;

test('a chat without messages is an empty array', () => {
  expect(list()).toEqual([]);
});

test('gives every field that is there and leaves out every field that is not', async () => {
  const user = storedMessage({ mode: 'chat', status: 'pending' });
  const reply = storedMessage({
    role: 'assistant',
    status: 'error',
    model: 'a "model"',
    steps: [
      { id: '1', tool: 'calculate', status: 'done', input: { expression: '1"\n' }, output: [null, 2.5] },
    ],
    error: { code: 'model_failed', message: 'It said "no".' },
    reasoning: 'They "ask".\n',
    usage: { inputTokens: 3 },
    timing: { totalMs: 1_200, tokensPerSecond: 41.7 },
    stopReason: 'length',
  });
  await store.write((writer) => [user, reply].forEach((each) => void createMessage(writer, each)));
  expect(list()).toEqual([
    {
      role: 'user',
      content: 'text',
      status: 'pending',
      createdAt: user.createdAt,
      id: user.id,
      mode: 'chat',
    },
    {
      role: 'assistant',
      content: 'text',
      status: 'error',
      createdAt: reply.createdAt,
      id: reply.id,
      model: 'a "model"',
      steps: reply.steps,
      error: reply.error,
      reasoning: reply.reasoning,
      usage: { inputTokens: 3 },
      timing: { totalMs: 1_200, tokensPerSecond: 41.7 },
      stopReason: 'length',
    },
  ]);
});

test.each([
  ['quotes, slashes and breaks', '"\\/\b\f\n\r\t'],
  ['control characters', Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join('')],
  ['separators and DEL', '\u2028\u2029\u007f\u0085'],
  ['characters beyond the basic plane', '👨‍👩‍👧 𝄞 é ü 漢字'],
  ['a NUL', 'before\0after'],
  ['half a surrogate pair', 'before\ud800after "quoted"'],
  ['what looks like JSON', '{"role":"assistant"}'],
])('gives back %s exactly', async (_name, content) => {
  await store.write((writer) => createMessage(writer, storedMessage({ content })));
  expect(list()).toMatchObject([{ content }]);
});

test('keeps the order and the range', async () => {
  await store.write((writer) => {
    for (const content of ['a', 'b', 'c', 'd']) createMessage(writer, storedMessage({ content }));
    createMessage(writer, storedMessage({ content: 'elsewhere', chatId: 'other' }));
  });
  const contents = (range: object): string[] =>
    (list(range) as { content: string }[]).map((each) => each.content);
  expect(contents({})).toEqual(['a', 'b', 'c', 'd']);
  expect(contents({ afterSeq: 2 })).toEqual(['c', 'd']);
  expect(contents({ afterSeq: 1, limit: 2 })).toEqual(['b', 'c']);
});

test('nothing of what a model thought is left of a message that was emptied', async () => {
  const reply = storedMessage({ role: 'assistant', reasoning: 'They ask.' });
  await store.write((writer) => blankMessages(writer, [createMessage(writer, reply)]));
  expect(list()).toEqual([expect.not.objectContaining({ reasoning: expect.anything() as unknown })]);
  expect(store.read((reader) => reader.get('SELECT reasoning FROM messages'))).toEqual({ reasoning: null });
});

test('a reply of a store from before times were measured has none, and the next one has', async () => {
  await store.close();
  const dir = `${temp.dir}-old`;
  const old = await openStore({ dir, migrations: MIGRATIONS.slice(0, 16) });
  await old.write((writer) =>
    writer.run(
      `INSERT INTO messages (seq, id, chat_id, workspace_id, role, content, status, created_at)
        VALUES (1, 'old', 'chat', 'w', 'assistant', 'Hello.', 'complete', '2026-01-01T00:00:00.000Z')`,
    ),
  );
  await old.close();
  temp.store = store = await openStore({ dir });
  const timing = { totalMs: 5 };
  await store.write((writer) => createMessage(writer, storedMessage({ role: 'assistant', timing })));
  const [before, after] = list() as object[];
  expect(before).toMatchObject({ id: 'old', content: 'Hello.' });
  expect(before).not.toHaveProperty('timing');
  expect(after).toMatchObject({ timing });
});
