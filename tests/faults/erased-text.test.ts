/** Random lives of a store in which texts are deleted for good: none of their bytes may be left in any file. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEraser } from '../../server/chats/eraser.ts';
import { createSearchIndexer } from '../../server/search/search-indexer.ts';
import { createChat, updateChatDeletedAt } from '../../server/store/chat-repository.ts';
import { createMessage } from '../../server/store/message-repository.ts';
import { rounds } from '../support/effort.ts';
import { faultyDisk } from '../support/faulty-disk.ts';
import { NO_FILES, openTempStore, type TempStore } from '../support/store.ts';
import { storedChat, storedMessage } from '../support/stored.ts';

const NOW = '2026-11-20T12:00:00.000Z';

/** Of words unlike any other, so that an index holds none of them but for this chat. */
const textOf = (chat: number, at: number, length: number): string =>
  `${`zq${chat}w${at}j`.repeat(2)} ${`qj${chat}y`.repeat(length)} ${'padding '.repeat(length % 40)}`;
const tracesOf = (chat: number): string[] => [`qj${chat}yqj${chat}y`, `zq${chat}w`, `q${chat}w0jzq`];

async function fillChat(temp: TempStore, chat: number, lengths: readonly number[]): Promise<void> {
  const id = `chat-${chat}`;
  await temp.store.write((writer) => {
    createChat(writer, storedChat({ id, title: textOf(chat, 0, 1) }));
    for (const [at, length] of lengths.entries()) {
      createMessage(
        writer,
        storedMessage({ id: `${id}-${at}`, chatId: id, content: textOf(chat, at, length) }),
      );
    }
  });
}

async function holdersOf(dir: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(dir)) {
    const file = await readFile(join(dir, name));
    for (const text of texts) if (file.includes(text)) found.push(`${name}: ${text}`);
  }
  return found;
}

const life = fc.record({
  chats: fc.array(fc.array(fc.integer({ min: 1, max: 800 }), { minLength: 1, maxLength: 6 }), {
    minLength: 2,
    maxLength: 12,
  }),
  indexedEvery: fc.integer({ min: 1, max: 5 }),
  compactedEvery: fc.integer({ min: 1, max: 6 }),
  erased: fc.array(fc.nat(11), { minLength: 1, maxLength: 6 }),
});

it('holds no byte of what was deleted for good in any file, and all of the rest', async () => {
  await fc.assert(
    fc.asyncProperty(life, async ({ chats, indexedEvery, compactedEvery, erased }) => {
      const temp = await openTempStore({ disk: faultyDisk() });
      const eraser = createEraser({ store: temp.store, files: NO_FILES, clock: () => new Date(NOW) });
      const indexer = createSearchIndexer(temp.store);
      try {
        for (const [chat, lengths] of chats.entries()) {
          await fillChat(temp, chat, lengths);
          if (chat % indexedEvery === 0) await indexer.catchUp();
          if (chat % compactedEvery === 0) await temp.store.compact();
        }
        const gone = new Set(erased.map((chat) => chat % chats.length));
        for (const chat of gone) {
          await temp.store.write((writer) =>
            updateChatDeletedAt(writer, `chat-${chat}`, new Date(0).toISOString()),
          );
          await eraser.sweep();
          expect(await holdersOf(temp.dir, tracesOf(chat))).toEqual([]);
        }
        for (const chat of chats.keys()) {
          if (gone.has(chat)) expect(await holdersOf(temp.dir, tracesOf(chat))).toEqual([]);
          else expect(await holdersOf(temp.dir, [textOf(chat, 0, 1).slice(0, 8)])).not.toEqual([]);
        }
      } finally {
        indexer.close();
        await eraser.close();
        await temp.remove();
      }
    }),
    { numRuns: rounds(3), endOnFailure: true },
  );
});
