import { expect, onTestFinished, test } from 'vitest';
import {
  createChat,
  findChatInRow,
  findRowOfChat,
  updateChatDeletedAt,
} from '../../../server/store/chat-repository.ts';
import { eraseChat } from '../../../server/store/erase-repository.ts';
import { eventually } from '../../support/eventually.ts';
import { createMortalDisk } from '../../support/mortal-disk.ts';
import { openTempStore } from '../../support/store.ts';
import { storedChat } from '../../support/stored.ts';

async function open() {
  const disk = createMortalDisk();
  const temp = await openTempStore({ disk, limits: { checkIntervalMs: 20 } });
  onTestFinished(() => temp.remove());
  const { store } = temp;
  const begun = store.version;
  return {
    store,
    disk,
    begun,
    add: (...ids: string[]) =>
      store.write((writer) => {
        for (const id of ids) createChat(writer, storedChat({ id }));
      }),
    /** The ids of the chats that changed; null: any may have. */
    changedSince: (version: number) =>
      store
        .chatsChangedSince(version)
        ?.map((row) => store.read((reader) => findChatInRow(reader, row))?.id)
        .sort() ?? null,
  };
}

test('says which chats each transaction touched, deleted ones too, and none that took itself back', async () => {
  const { store, begun, add, changedSince } = await open();
  expect(changedSince(begun)).toEqual([]);
  await add('a', 'b');
  const { version } = store;
  expect(changedSince(begun)).toEqual(['a', 'b']);
  expect(changedSince(version)).toEqual([]);
  await store.write((writer) => updateChatDeletedAt(writer, 'b', '2026-11-20T09:30:00.000Z'));
  await expect(
    store.write((writer) => {
      createChat(writer, storedChat({ id: 'c' }));
      throw new Error('No.');
    }),
  ).rejects.toThrow('No.');
  await store.write((writer) => writer.run("INSERT INTO settings (name, value) VALUES ('a', '1')"));
  expect(changedSince(version)).toEqual(['b']);
  expect(changedSince(begun)).toEqual(['a', 'b']);
  expect(changedSince(store.version)).toEqual([]);
});

test('of more than 200 changes, of a chat that is gone for good and of what the disk took back it says nothing', async () => {
  const { store, disk, begun, add, changedSince } = await open();
  const ids = Array.from({ length: 200 }, (_, index) => `chat-${index}`);
  await add(...ids);
  expect(changedSince(begun)).toHaveLength(200);
  const { version } = store;
  await add('one more');
  expect(changedSince(begun)).toBeNull();
  expect(changedSince(version)).toEqual(['one more']);

  const beforeErasing = store.version;
  await store.write((writer) => updateChatDeletedAt(writer, 'one more', '2026-11-20T09:30:00.000Z'));
  await store.write((writer) => eraseChat(writer, 'one more'));
  expect(changedSince(beforeErasing)).toBeNull();

  const beforeRefusal = store.version;
  disk.isFull = true;
  await expect(add('refused')).rejects.toThrow();
  disk.isFull = false;
  await eventually(() => expect(store.writable).toBe(true));
  expect(changedSince(beforeRefusal)).toBeNull();
  const { version: now } = store;
  await add('taken');
  expect(changedSince(now)).toEqual(['taken']);
});

test('says when each chat changed last: another version for each change, and for all when the store went back', async () => {
  const { store, disk, add } = await open();
  await add('a', 'b');
  const last = () =>
    ['a', 'b'].map((id) => store.lastChangeOf(store.read((reader) => findRowOfChat(reader, id)) ?? -1));
  const before = last();
  await store.write((writer) => updateChatDeletedAt(writer, 'b', '2026-11-20T09:30:00.000Z'));
  expect(last()).toEqual([before[0], store.version]);
  await add('c');
  expect(last()[0]).toBe(before[0]);
  disk.isFull = true;
  await expect(add('d')).rejects.toThrow();
  disk.isFull = false;
  await eventually(() => expect(store.writable).toBe(true));
  expect(last().every((version) => version > (before[0] ?? 0))).toBe(true);
});
