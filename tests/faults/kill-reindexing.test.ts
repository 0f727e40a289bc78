import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMessage } from '../../server/store/message-repository.ts';
import {
  hasUnindexedMessages,
  INDEX_MESSAGES,
  indexNextMessages,
  readIndexedTo,
} from '../../server/store/search-index-repository.ts';
import { openStore } from '../../server/store/store.ts';
import type { Store } from '../../server/store/types.ts';
import { rounds } from '../support/effort.ts';
import { mortalService } from '../support/mortal-service.ts';
import { storedMessage } from '../support/stored.ts';

const mortal = mortalService();
const MESSAGES = INDEX_MESSAGES + 2_000;
const KILLS = rounds(2);
/** Of this many messages, one has the word that is searched for. */
const EVERY = 1_000;

async function inStore<T>(work: (store: Store) => T | Promise<T>): Promise<T> {
  const store = await openStore({ dir: join(mortal.dataDir, 'store') });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function logBytes(): Promise<number> {
  const folder = join(mortal.dataDir, 'store');
  const logs = (await readdir(folder)).filter((name) => name.startsWith('log-'));
  const sizes = await Promise.all(logs.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('kills while the search index is made anew lose nothing of it, and each start goes on from there', async () => {
  const service = await mortal.start();
  const { id: chatId, workspaceId } = await service.api.createChat();
  await service.end('SIGTERM');
  await inStore(async (store) => {
    for (let index = 0; index < MESSAGES; index += 1_000)
      await store.write((writer) => {
        for (let at = index; at < Math.min(index + 1_000, MESSAGES); at += 1)
          createMessage(
            writer,
            storedMessage({
              chatId,
              workspaceId,
              content: `${at % EVERY === 0 ? 'lighthouse ' : ''}灯塔 ${at}`,
            }),
          );
      });
    // The indexes of an earlier version are there, as migration 23 finds them.
    while (store.read(hasUnindexedMessages))
      await store.write((writer) => indexNextMessages(writer, { messages: 1_000, bytes: 1_000_000 }));
    await store.write((writer) => writer.run('UPDATE search_index SET indexed_to = 0'));
    // Otherwise each start would do all that again.
    await store.compact();
  });
  const passed = [0];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const next = await mortal.start();
    const before = await logBytes();
    await expect.poll(logBytes, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before + 4_000);
    await next.end('SIGKILL');
    passed.push(await inStore((store) => store.read(readIndexedTo)));
    expect(passed.at(-1)).toBeGreaterThan(passed.at(-2) ?? 0);
  }
  expect(passed.at(-1)).toBeLessThan(MESSAGES);
  const last = await mortal.start();
  const count = async (words: string): Promise<number> => {
    const answer = await last.api.get(`/api/v1/search?q=${words}&limit=50`);
    return answer.json<{ messages: unknown[] }>().messages.length;
  };
  // A search waits for the index, but not long enough on a busy machine.
  await expect.poll(() => count(`${MESSAGES - 1}`), { timeout: 60_000 }).toBe(1);
  expect(await count('lighthouse')).toBe(Math.ceil(MESSAGES / EVERY));
  await last.end('SIGTERM');
  await inStore((store) => {
    expect(store.read(hasUnindexedMessages)).toBe(false);
    const inIndex = (table: string): number | undefined =>
      store.read((reader) =>
        reader.get<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE words MATCH '灯'`),
      )?.count;
    expect(['messages_found_0', 'messages_found_1'].map(inIndex)).toEqual([
      INDEX_MESSAGES,
      MESSAGES - INDEX_MESSAGES,
    ]);
  });
}, 240_000);
