/** Versions and their branches, against a naive tree: whatever is done in whatever order, both list the same. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listMessagesAsJson } from '../../../server/store/message-json.ts';
import { createMessage, findMessage } from '../../../server/store/message-repository.ts';
import { MIGRATIONS } from '../../../server/store/migrations.ts';
import { openStore } from '../../../server/store/store.ts';
import type { Store, Writer } from '../../../server/store/types.ts';
import {
  deleteMessage,
  findLastQuestion,
  findPosition,
  hideBranch,
  isFirstQuestion,
  markVersion,
  restoreMessage,
  showMessage,
  type MessagePosition,
} from '../../../server/store/version-repository.ts';
import type { Message } from '../../../shared/api/message.ts';
import { BranchModel } from '../../support/branch-model.ts';
import { rounds } from '../../support/effort.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';
import { storedMessage } from '../../support/stored.ts';
import { listMessages } from '../../support/list-messages.ts';

const CHAT = 'chat';
let temp: TempStore;
let store: Store;
let count = 0;
beforeEach(async () => {
  temp = await openTempStore();
  store = temp.store;
});
afterEach(() => temp.remove());

/** A time that no other call gives. */
const tick = (): string => new Date(Date.UTC(2026, 10, 20) + (count += 1)).toISOString();

function add(writer: Writer, chatId: string, id: string, replyTo: string | null): void {
  const role = replyTo === null ? 'user' : 'assistant';
  createMessage(
    writer,
    storedMessage({ id, chatId, role, content: `text of ${id}`, replyTo, createdAt: tick() }),
  );
}

function place(writer: Writer, chatId: string, id: string): MessagePosition {
  const found = findPosition(writer, chatId, id);
  if (found === null) throw new Error(`no message ${id}`);
  return found;
}

/** User messages sent in a row: all questions, then all replies. */
function sendInARow(writer: Writer, chatId: string, ids: string[]): void {
  for (const id of ids) add(writer, chatId, id, null);
  for (const id of ids) add(writer, chatId, `re ${id}`, id);
}

function branch(writer: Writer, chatId: string, messageId: string, id: string, isRetry = false): void {
  const message = place(writer, chatId, messageId);
  showMessage(writer, chatId, message);
  const question = message.replyTo === null ? message : place(writer, chatId, message.replyTo);
  hideBranch(writer, chatId, question);
  add(writer, chatId, id, null);
  markVersion(writer, id, place(writer, chatId, question.id), isRetry);
  add(writer, chatId, `re ${id}`, id);
}

const show = (writer: Writer, chatId: string, id: string): void =>
  showMessage(writer, chatId, place(writer, chatId, id));

const listed = (chatId = CHAT): Message[] =>
  JSON.parse(store.read((reader) => listMessagesAsJson(reader, chatId))) as Message[];
const listedIds = (chatId = CHAT): string[] => listed(chatId).map(({ id }) => id);

type Command =
  | { do: 'send'; inARow: number }
  | { do: 'edit' | 'retry' | 'show' | 'delete' | 'restore'; at: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('send' as const), inARow: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 15,
    arbitrary: fc.record({
      do: fc.constantFrom('edit', 'edit', 'retry', 'show', 'show', 'delete', 'restore'),
      at: fc.nat(),
    }),
  },
);

async function perform(model: BranchModel, chatId: string, step: Command): Promise<void> {
  if (step.do === 'send') {
    const ids = Array.from({ length: step.inARow }, () => `${chatId} ${(count += 1)}`);
    await store.write((writer) => sendInARow(writer, chatId, ids));
    for (const id of ids) model.send(id, `re ${id}`);
    return;
  }
  const all = [...model.questions.values()].flatMap(({ id, replyId }) => [id, replyId]);
  const isWanted = (id: string): boolean => model.isDeleted(id) === (step.do === 'restore');
  const candidates = all.filter(isWanted);
  const id = candidates[step.at % Math.max(1, candidates.length)];
  if (id === undefined) return;
  if (step.do === 'show') {
    await store.write((writer) => show(writer, chatId, id));
    model.show(id);
  } else if (step.do === 'delete') {
    const now = tick();
    await store.write((writer) => deleteMessage(writer, chatId, place(writer, chatId, id), now));
    model.delete(id, now);
  } else if (step.do === 'restore') {
    await store.write((writer) => restoreMessage(writer, chatId, place(writer, chatId, id)));
    model.restore(id);
  } else {
    const newId = `${chatId} ${(count += 1)}`;
    await store.write((writer) => branch(writer, chatId, id, newId, step.do === 'retry'));
    model.branch(id, newId, `re ${newId}`, step.do === 'retry');
  }
}

function check(model: BranchModel, chatId: string): void {
  const messages = listed(chatId);
  expect(messages.map(({ id }) => id).sort()).toEqual(model.listed().sort());
  // User messages stand in the order of the conversation.
  const asked = messages.filter(({ role }) => role === 'user');
  const branch = model.shown().filter(({ deletedAt }) => deletedAt === null);
  expect(asked.map(({ id }) => id)).toEqual(branch.map(({ id }) => id));
  for (const { id, versions, retries } of asked) {
    expect(versions).toEqual(model.versions(id));
    expect(retries).toEqual(model.retries(id));
  }
  // Each reply answers a message that is listed, and no two the same.
  const answered = messages.flatMap(({ replyTo }) => (replyTo === undefined ? [] : [replyTo]));
  expect(new Set(answered).size).toBe(answered.length);
  expect(asked.map(({ id }) => id)).toEqual(expect.arrayContaining(answered));
  // Nothing is lost.
  const stored = store.read((reader) =>
    reader.all<{ id: string }>('SELECT id FROM messages WHERE chat_id = ?', [chatId]),
  );
  expect(stored).toHaveLength(model.questions.size * 2);
  expect(store.read((reader) => findLastQuestion(reader, chatId))?.id ?? null).toBe(asked.at(-1)?.id ?? null);
}

test(
  'whatever is sent, edited, tried again, shown, deleted and restored, one branch is listed and all is reachable',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 40 }), async (commands) => {
        const model = new BranchModel();
        const chatId = `chat ${(count += 1)}`;
        for (const step of commands) {
          await perform(model, chatId, step);
          check(model, chatId);
        }
        for (const { id, replyId } of model.questions.values()) {
          for (const messageId of [id, replyId].filter((each) => !model.isDeleted(each))) {
            await store.write((writer) => show(writer, chatId, messageId));
            model.show(messageId);
            expect(listedIds(chatId)).toContain(messageId);
            check(model, chatId);
          }
        }
      }),
      { numRuns: rounds(30), seed: Number(process.env.VERSION_SEED ?? 20_261) },
    );
    // The log, replayed, gives the same.
    const before = store.read((reader) => reader.all('SELECT * FROM messages ORDER BY seq'));
    store = await temp.reopen();
    expect(store.read((reader) => reader.all('SELECT * FROM messages ORDER BY seq'))).toEqual(before);
  },
);

describe('a conversation of three messages sent in a row', () => {
  beforeEach(() => store.write((writer) => sendInARow(writer, CHAT, ['a', 'b', 'c'])));

  test('keeps the reply to the first when the second is edited, though that reply is younger', async () => {
    await store.write((writer) => branch(writer, CHAT, 'b', 'b2'));
    expect(listedIds()).toEqual(['a', 're a', 'b2', 're b2']);
    expect(listed().find(({ id }) => id === 'b2')?.versions).toEqual(['b', 'b2']);
  });

  test('remembers the choices inside a branch that is shown again', async () => {
    await store.write((writer) => {
      branch(writer, CHAT, 'c', 'c2');
      branch(writer, CHAT, 'b', 'b2');
      show(writer, CHAT, 'b');
    });
    expect(listedIds()).toEqual(['a', 'b', 're a', 're b', 'c2', 're c2']);
    await store.write((writer) => show(writer, CHAT, 're c'));
    expect(listedIds()).toEqual(['a', 'b', 'c', 're a', 're b', 're c']);
  });

  test('shows a message several versions deep', async () => {
    await store.write((writer) => {
      branch(writer, CHAT, 'c', 'c2');
      branch(writer, CHAT, 'b', 'b2');
      branch(writer, CHAT, 'a', 'a2');
      show(writer, CHAT, 'c');
    });
    expect(listedIds()).toEqual(['a', 'b', 'c', 're a', 're b', 're c']);
  });

  test('brings a deleted message back where it was, in its own branch only', async () => {
    await store.write((writer) => {
      deleteMessage(writer, CHAT, place(writer, CHAT, 'c'), tick());
      branch(writer, CHAT, 'b', 'b2');
      restoreMessage(writer, CHAT, place(writer, CHAT, 'c'));
    });
    expect(listedIds()).toEqual(['a', 're a', 'b2', 're b2']);
    await store.write((writer) => show(writer, CHAT, 'b'));
    expect(listedIds()).toEqual(['a', 'b', 'c', 're a', 're b', 're c']);
  });

  test('leaves a reply deleted that was deleted before its user message was', async () => {
    await store.write((writer) => {
      deleteMessage(writer, CHAT, place(writer, CHAT, 're b'), tick());
      deleteMessage(writer, CHAT, place(writer, CHAT, 'b'), tick());
      restoreMessage(writer, CHAT, place(writer, CHAT, 'b'));
    });
    expect(listedIds()).toEqual(['a', 'b', 'c', 're a', 're c']);
  });

  test('names no deleted version, and finds neither hidden nor deleted messages by id', async () => {
    await store.write((writer) => {
      branch(writer, CHAT, 'b', 'b2');
      branch(writer, CHAT, 'b', 'b3');
      deleteMessage(writer, CHAT, place(writer, CHAT, 'b2'), tick());
      deleteMessage(writer, CHAT, place(writer, CHAT, 'a'), tick());
    });
    expect(listed().map(({ id, versions }) => [id, versions])).toEqual([
      ['b3', ['b', 'b3']],
      ['re b3', undefined],
    ]);
    const found = (id: string): unknown => store.read((reader) => findMessage(reader, CHAT, id)?.id ?? null);
    expect(['a', 're a', 'b', 'b2', 'c', 'b3'].map(found)).toEqual([null, null, null, null, null, 'b3']);
    expect(store.read((reader) => listMessages(reader, CHAT)).map(({ id }) => id)).toEqual(listedIds());
  });

  test('begins with the same message whether that is deleted or not', async () => {
    const isFirst = (id: string): boolean =>
      store.read((reader) => isFirstQuestion(reader, CHAT, findPosition(reader, CHAT, id)?.seq ?? 0));
    await store.write((writer) => deleteMessage(writer, CHAT, place(writer, CHAT, 'a'), tick()));
    expect([isFirst('a'), isFirst('b')]).toEqual([true, false]);
    await store.write((writer) => branch(writer, CHAT, 'a', 'a2'));
    expect(isFirst('a2')).toBe(true);
  });

  test('touches no other chat', async () => {
    await store.write((writer) => {
      sendInARow(writer, 'other', ['x', 'y']);
      branch(writer, CHAT, 'a', 'a2');
      show(writer, CHAT, 'a');
      deleteMessage(writer, CHAT, place(writer, CHAT, 'a'), tick());
    });
    expect(listedIds('other')).toEqual(['x', 'y', 're x', 're y']);
    expect(store.read((reader) => findPosition(reader, 'other', 'a'))).toBeNull();
  });
});

const LATER = ['rounds', 'echo'];

test('versions of an older store that say the same become retries', async () => {
  const older = await openTempStore({ migrations: MIGRATIONS.slice(0, 17) });
  await older.store.write((writer) => {
    // Later columns, which a new message needs.
    for (const column of LATER) writer.run(`ALTER TABLE messages ADD COLUMN ${column} TEXT`, []);
    for (const [id, content] of Object.entries({ a: 'one', b: 'one', c: 'two', d: 'one', e: 'two' }))
      createMessage(writer, storedMessage({ id, chatId: CHAT, content, createdAt: tick() }));
    createMessage(writer, storedMessage({ id: 'x', chatId: CHAT, content: 'one', createdAt: tick() }));
    writer.run(`UPDATE messages SET version_of = 'a', hidden_by = nullif(id, 'e') WHERE id <> 'x'`, []);
    for (const column of LATER) writer.run(`ALTER TABLE messages DROP COLUMN ${column}`, []);
  });
  await older.store.close();
  older.store = await openStore({ dir: older.dir });
  const messages = older.store.read((reader) => JSON.parse(listMessagesAsJson(reader, CHAT)) as Message[]);
  await older.remove();
  expect(messages.map(({ id, retries }) => [id, retries])).toEqual([
    [
      'e',
      [
        { id: 'b', retryOf: 'a' },
        { id: 'd', retryOf: 'a' },
        { id: 'e', retryOf: 'c' },
      ],
    ],
    ['x', undefined],
  ]);
});
