import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEraser, type Eraser } from '../../../server/chats/eraser.ts';
import { createPurge, type Purge } from '../../../server/chats/purge.ts';
import { createSearchIndexer } from '../../../server/search/search-indexer.ts';
import {
  createChat,
  findChat,
  findDeletedChat,
  updateChatDeletedAt,
} from '../../../server/store/chat-repository.ts';
import { findDraft, updateDraft } from '../../../server/store/draft-repository.ts';
import { updateMessageDeletedAt } from '../../../server/store/version-repository.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import type { Step } from '../../../shared/api/message.ts';
import { RESTORE_WINDOW_DAYS } from '../../../shared/limits.ts';
import { faultyDisk, type FaultyDisk } from '../../support/faulty-disk.ts';
import { recordDays } from '../../support/record-days.ts';
import { NO_FILES, openTempStore, type TempStore } from '../../support/store.ts';
import { storedChat, storedMessage } from '../../support/stored.ts';
import { listMessages } from '../../support/list-messages.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();
/** A word unlike any other, so that no file holds the end of it after the beginning of another. */
const SECRET = 'zyxquorble';
const LONG_TEXT = Array.from({ length: 3_000 }, (_, at) => (at * 7919).toString(36)).join(' ');

let temp: TempStore;
let disk: FaultyDisk;
let eraser: Eraser;
let nowMs: number;
const clock = (): Date => new Date(nowMs);

beforeEach(async () => {
  nowMs = NOW;
  disk = faultyDisk();
  temp = await openTempStore({ disk, limits: { checkIntervalMs: 10 } });
  await temp.store.write((writer) => recordDays(writer, 2, NOW));
  eraser = createEraser({ store: temp.store, files: NO_FILES, clock });
});
afterEach(async () => {
  vi.useRealTimers();
  disk.heal();
  await eraser.close();
  await temp.remove();
});

async function makeChat(id: string, texts: string[] = []): Promise<number[]> {
  return temp.store.write((writer) => {
    createChat(
      writer,
      storedChat({
        id,
        title: `About ${texts[0] ?? 'nothing'}`,
        createdAt: daysAgo(99),
        updatedAt: daysAgo(99),
      }),
    );
    return texts.map((text, index) => addMessage(writer, id, `${id}-${index}`, text));
  });
}

function addMessage(
  writer: Parameters<typeof createMessage>[0],
  chatId: string,
  id: string,
  content: string,
): number {
  const steps: Step[] = [{ id: 's', tool: 't', status: 'done', input: content }];
  return createMessage(writer, storedMessage({ id, chatId, content, steps, createdAt: daysAgo(99) }));
}

async function index(): Promise<void> {
  const indexer = createSearchIndexer(temp.store);
  await indexer.catchUp();
  indexer.close();
}

const deleteChat = (id: string, at: string): Promise<void> =>
  temp.store.write((writer) => updateChatDeletedAt(writer, id, at));
const isStored = (id: string): boolean =>
  temp.store.read((reader) => findChat(reader, id) ?? findDeletedChat(reader, id, '')) !== null;
const found = (word: string): string[] =>
  temp.store
    .read((reader) =>
      reader.all<{ id: string | null }>(
        `SELECT m.id AS id FROM messages_found_0 f LEFT JOIN messages m ON m.seq = f.docid
          WHERE messages_found_0 MATCH ? ORDER BY f.docid`,
        [word],
      ),
    )
    .map(({ id }) => String(id));

async function filesWith(text: string): Promise<string[]> {
  const names = await readdir(temp.dir);
  const holding = await Promise.all(
    names.map(async (name) => (await readFile(join(temp.dir, name))).includes(text)),
  );
  return names.filter((_, at) => holding[at]);
}

/** Neither the word nor its end, which is all that an index holds of a word beside a similar one. */
async function expectNoTrace(): Promise<void> {
  for (const part of [SECRET, 'xquorble', 'quorble']) expect(await filesWith(part)).toEqual([]);
}

describe('a sweep', () => {
  test('removes chats that were deleted longer ago than they can be restored, and no others', async () => {
    for (const id of ['live', 'recent', 'due']) await makeChat(id, [`text of ${id}`]);
    await deleteChat('recent', daysAgo(RESTORE_WINDOW_DAYS - 1));
    await deleteChat('due', daysAgo(RESTORE_WINDOW_DAYS));
    await index();
    await eraser.sweep();
    expect(['live', 'recent', 'due'].map(isStored)).toEqual([true, true, false]);
    expect(found('text')).toEqual(['live-0', 'recent-0']);
    nowMs += DAY_MS;
    await eraser.sweep();
    expect(['live', 'recent', 'due'].map(isStored)).toEqual([true, false, false]);
    expect(found('text')).toEqual(['live-0']);
  });

  test('empties no trash on a day on which the clock jumped ahead, and does on the next', async () => {
    await makeChat('recent', ['text']);
    const [seq = 0] = await makeChat('kept', ['a message']);
    await deleteChat('recent', daysAgo(1));
    await temp.store.write((writer) => updateMessageDeletedAt(writer, seq, daysAgo(1)));
    const purge = createPurge({ store: temp.store, eraser, files: NO_FILES, clock, log: () => undefined });
    nowMs += 40 * DAY_MS;
    await purge.run();
    await purge.run();
    const content = (): string | undefined =>
      temp.store.read((reader) =>
        reader.get<{ content: string }>('SELECT content FROM messages WHERE seq = ?', [seq]),
      )?.content;
    expect([isStored('recent'), content()]).toEqual([true, 'a message']);
    nowMs += 0.9 * DAY_MS;
    await purge.run();
    expect([isStored('recent'), content()]).toEqual([true, 'a message']);
    nowMs += 0.1 * DAY_MS;
    await purge.run();
    expect([isStored('recent'), content()]).toEqual([false, '']);
    await purge.close();
  });

  test('loses nothing to a clock that is wrong for some hours, in either direction', async () => {
    await makeChat('recent', ['text']);
    await deleteChat('recent', daysAgo(1));
    const start = (): Purge =>
      createPurge({ store: temp.store, eraser, files: NO_FILES, clock, log: () => undefined });
    let purge = start();
    for (const days of [0, 400, 4_000, 90, -400, 40, 0]) {
      nowMs = NOW + days * DAY_MS;
      await purge.run();
      nowMs += 0.3 * DAY_MS;
      await purge.run();
      expect(isStored('recent')).toBe(true);
      // Also over a restart with the clock set right, or wrong.
      if (days === 90 || days === 40) purge = start();
    }
    for (let days = 1; days <= RESTORE_WINDOW_DAYS; days += 1) {
      expect(isStored('recent')).toBe(days < RESTORE_WINDOW_DAYS);
      nowMs = NOW + days * DAY_MS;
      await purge.run();
    }
    await purge.close();
  });

  test('empties the trash at the start after a break as far as it was due before, and wholly a day later', async () => {
    for (const [id, days] of [
      ['due', 31],
      ['recent', 1],
    ] as const) {
      await makeChat(id, ['text']);
      await deleteChat(id, daysAgo(days));
    }
    nowMs += 60 * DAY_MS;
    const purge = createPurge({ store: temp.store, eraser, files: NO_FILES, clock, log: () => undefined });
    await purge.run();
    expect(['due', 'recent'].map(isStored)).toEqual([false, true]);
    nowMs += DAY_MS;
    await purge.run();
    expect(isStored('recent')).toBe(false);
    await purge.close();
  });

  test.each([
    ['indexed', 1, true],
    ['not indexed', 1, false],
    ['among many others', 600, true],
  ])('leaves no trace of a chat in any file: %s', async (_name, others, isIndexed) => {
    for (let at = 0; at < others; at += 1) {
      await makeChat(`other-${at}`, [`zyxquartz ${at} and words of number ${at * 7919}`]);
      if (at % 20 === 0 && isIndexed) await index();
    }
    await makeChat('due', [SECRET, `more ${SECRET}ish`]);
    if (isIndexed) await index();
    await temp.store.compact();
    await deleteChat('due', daysAgo(31));
    expect(await filesWith('quorble')).not.toEqual([]);
    await eraser.sweep();
    await expectNoTrace();
    await temp.reopen();
    if (isIndexed) expect(found('zyxq*')).toHaveLength(others);
    await temp.store.compact();
    await expectNoTrace();
  });

  test('empties single messages, and keeps their place', async () => {
    const [first = 0, second = 0] = await makeChat('chat', [`${SECRET} one`, 'two', `${SECRET}s three`]);
    await temp.store.write((writer) => writer.run(`UPDATE chats SET title = 'x'`));
    await index();
    await temp.store.write((writer) => {
      updateMessageDeletedAt(writer, first, daysAgo(40));
      updateMessageDeletedAt(writer, second + 1, daysAgo(29));
    });
    await eraser.sweep();
    expect(found(`${SECRET}*`)).toEqual(['chat-2']);
    const contents = (): string[] =>
      temp.store
        .read((reader) => reader.all<{ content: string }>('SELECT content FROM messages ORDER BY seq'))
        .map(({ content }) => content);
    expect(contents()).toEqual(['', 'two', `${SECRET}s three`]);
    nowMs += 2 * DAY_MS;
    await temp.store.write((writer) => recordDays(writer, 2, nowMs));
    await eraser.sweep();
    expect(contents()).toEqual(['', 'two', '']);
    await expectNoTrace();
    expect(temp.store.read((reader) => listMessages(reader, 'chat')).map(({ id }) => id)).toEqual(['chat-1']);
    const compactions = disk.counts.get('rename');
    await eraser.sweep();
    expect(disk.counts.get('rename')).toBe(compactions);
  });

  test('leaves the index such that messages which get the numbers of removed ones are found', async () => {
    await makeChat('kept', ['the first']);
    await makeChat('due', ['apples', 'pears']);
    await index();
    await makeChat('unindexed', ['plums']);
    await deleteChat('due', daysAgo(31));
    await deleteChat('unindexed', daysAgo(31));
    await eraser.sweep();
    await temp.store.write((writer) => addMessage(writer, 'kept', 'new', 'cherries'));
    await index();
    expect(found('cherries')).toEqual(['new']);
    for (const gone of ['apples', 'pears', 'plums']) expect(found(gone)).toEqual([]);
    expect(found('first')).toEqual(['kept-0']);
  });

  test('lets others in while it removes a long chat', async () => {
    const texts = Array.from({ length: 150 }, (_, at) => `message ${at} ${LONG_TEXT}`);
    await makeChat('due', texts);
    await index();
    await deleteChat('due', daysAgo(31));
    let rounds = 0;
    const remaining: number[] = [];
    const sweeping = eraser.sweep().then(() => (rounds = -1));
    while (rounds >= 0) {
      rounds += 1;
      remaining.push(
        temp.store.read(
          (reader) => reader.get<{ count: number }>('SELECT count(*) AS count FROM messages')?.count ?? 0,
        ),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    await sweeping;
    expect(new Set(remaining).size).toBeGreaterThan(4);
  });

  test.each(['chat', 'message'])(
    'goes on where a full disk or a crash interrupted it, until no trace is left of a %s',
    async (what) => {
      const [seq = 0] = await makeChat('chat', [SECRET]);
      await index();
      await temp.store.write((writer) => {
        writer.run(`UPDATE chats SET title = 'x'`);
        if (what === 'chat') updateChatDeletedAt(writer, 'chat', daysAgo(31));
        else updateMessageDeletedAt(writer, seq, daysAgo(31));
      });
      disk.fail({ calls: ['write'], code: 'ENOSPC', path: /snapshot/ });
      await expect(eraser.sweep()).rejects.toMatchObject({ code: 'storage_full' });
      disk.heal();
      expect(await filesWith(SECRET)).not.toEqual([]);
      await temp.reopen();
      eraser = createEraser({ store: temp.store, files: NO_FILES, clock });
      await eraser.sweep();
      await expectNoTrace();
      expect(isStored('chat')).toBe(what === 'message');
    },
  );

  test('serves all who ask for one, and those who come while one is under way', async () => {
    await makeChat('one', ['a']);
    await makeChat('two', ['b']);
    await deleteChat('one', daysAgo(31));
    const first = eraser.sweep();
    await deleteChat('two', daysAgo(31));
    await Promise.all([first, eraser.sweep(), eraser.sweep()]);
    expect([isStored('one'), isStored('two')]).toEqual([false, false]);
  });

  test('stops when it is closed, and the next process goes on', async () => {
    await makeChat('due', ['a']);
    await deleteChat('due', daysAgo(31));
    const sweeping = eraser.sweep();
    const closing = eraser.close();
    await expect(sweeping).rejects.toMatchObject({ code: 'shutting_down' });
    await closing;
    expect(isStored('due')).toBe(true);
    const next = createEraser({ store: temp.store, files: NO_FILES, clock });
    await next.sweep();
    expect(isStored('due')).toBe(false);
  });
});

describe('the purge', () => {
  const draft = (chatKey: string, text: string, updatedAt: string): Promise<void> =>
    temp.store.write((writer) => updateDraft(writer, 'w', { chatKey, text, updatedAt }));
  const hasDraft = (chatKey: string): boolean =>
    temp.store.read((reader) => findDraft(reader, 'w', chatKey)) !== null;

  test('forgets emptied drafts after a day, and no others', async () => {
    await draft('sent', '', daysAgo(1));
    await draft('just-sent', '', daysAgo(0.9));
    await draft('old', 'still wanted', daysAgo(400));
    const purge = createPurge({ store: temp.store, eraser, files: NO_FILES, clock, log: () => undefined });
    await purge.run();
    expect(['sent', 'just-sent', 'old'].map(hasDraft)).toEqual([false, true, true]);
    await purge.close();
  });

  test('comes soon after the start and every few hours, and is tried again soon when it failed', async () => {
    vi.useFakeTimers();
    const sweeps: number[] = [];
    let isFailing = false;
    const counted: Eraser = {
      sweep: () => {
        sweeps.push(nowMs);
        return isFailing ? Promise.reject(new Error('no')) : Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
    const store = { ...temp.store, write: () => Promise.resolve(0 as never) };
    const log: string[] = [];
    const purge = createPurge({
      store,
      eraser: counted,
      files: NO_FILES,
      clock,
      log: (line) => log.push(line),
    });
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(sweeps).toHaveLength(0);
    purge.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sweeps).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(sweeps.length).toBeGreaterThan(3);
    isFailing = true;
    const before = sweeps.length;
    await expect(purge.sweep()).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(20 * 60_000);
    expect(sweeps.length).toBeGreaterThan(before + 1);
    expect(log[0]).toContain('could not be removed yet');
    await purge.close();
    const atClose = sweeps.length;
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(sweeps).toHaveLength(atClose);
  });
});
