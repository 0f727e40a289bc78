import { expect, onTestFinished, test } from 'vitest';
import { createChatWaits, type ChatWaits, type WaitSlot } from '../../../server/events/chat-waits.ts';
import { updateChatTitle } from '../../../server/store/chat-repository.ts';
import { startProcessing } from '../../support/processing.ts';

async function start(): Promise<{
  waits: ChatWaits;
  chatId: string;
  /** The tag of the chat as it is. */
  tag: string;
  listeners: () => number;
  /** Gives the chat another title. */
  change: () => Promise<unknown>;
  /** How often a chat was read for those who wait, and what it rejects with from then on. */
  looks: { count: number; error: Error | null };
}> {
  const processing = await startProcessing();
  onTestFinished(() => processing.remove());
  const { store, processor, chats } = processing.life;
  let listening = 0;
  const looks: { count: number; error: Error | null } = { count: 0, error: null };
  const chatId = await processing.createChat();
  const waits = createChatWaits({
    store: {
      read: (work) => store.read(work),
      lastChangeOf: (row) => store.lastChangeOf(row),
      onChange(listener) {
        listening += 1;
        const end = store.onChange(listener);
        return () => {
          listening -= 1;
          end();
        };
      },
    },
    processor,
    read: (id) => {
      looks.count += 1;
      return looks.error === null ? chats.findSeen(id, null) : Promise.reject(looks.error);
    },
  });
  onTestFinished(() => waits.close());
  const tag = (await chats.findSeen(chatId, null))?.tags.shown ?? '';
  const change = (): Promise<unknown> =>
    store.write((writer) => updateChatTitle(writer, { title: 'Changed', titleSource: 'person' }, chatId));
  return { waits, chatId, tag, listeners: () => listening, change, looks };
}

const enter = (waits: ChatWaits, holder: string, count: number): WaitSlot[] =>
  Array.from({ length: count }, () => waits.enter(holder));

test('a key has 1,500 places, all together 2,000, and room comes back when they are left', async () => {
  const { waits } = await start();
  const [first] = enter(waits, 'one', 1_500);
  expect(() => waits.enter('one')).toThrow('1500 requests of this key wait');
  enter(waits, 'other', 500);
  expect(() => waits.enter('third')).toThrow('2000 requests wait');
  first?.leave();
  first?.leave();
  expect(waits.enter('one').isOver).toBe(false);
  expect(() => waits.enter('third')).toThrow(
    expect.objectContaining({ code: 'too_many_requests', retryAfterSeconds: 5 }) as Error,
  );
});

test('the store is listened to only while somebody waits', async () => {
  const { waits, chatId, listeners } = await start();
  const places = enter(waits, 'one', 3);
  expect(listeners()).toBe(0);
  const waiting = places.map((place) => place.wait(chatId, { for: 'change', known: 'x' }, 60_000));
  await Promise.all(waiting);
  expect(listeners()).toBe(0);
  const [place] = places;
  const open = place?.wait('nobody', { for: 'rest' }, 60_000);
  await open;
  expect(listeners()).toBe(0);
});

test('waiting ends when its place is left or time is up, and at once from then on', async () => {
  const { waits, chatId, tag: known, listeners } = await start();
  const place = waits.enter('one');
  const goal = { for: 'change', known } as const;
  await place.wait(chatId, goal, 10);
  const open = place.wait(chatId, goal, 60_000);
  expect(listeners()).toBe(1);
  place.leave();
  await open;
  await place.wait(chatId, goal, 60_000);
  expect([place.isOver, listeners()]).toEqual([true, 0]);
});

test('once closed, nobody waits any more', async () => {
  const { waits, chatId, tag: known } = await start();
  const goal = { for: 'change', known } as const;
  const open = waits.enter('one').wait(chatId, goal, 60_000);
  waits.close();
  await open;
  expect(() => waits.enter('one')).toThrow(expect.objectContaining({ code: 'shutting_down' }) as Error);
});

test('a chat that changes is read once, and all who wait for it get the same', async () => {
  const { waits, chatId, tag: known, change, looks } = await start();
  const waiting = enter(waits, 'one', 100).map((place) =>
    place.wait(chatId, { for: 'change', known }, 60_000),
  );
  expect(looks.count).toBe(1);
  await change();
  const [first, ...others] = await Promise.all(waiting);
  expect(first?.chat).toMatchObject({ id: chatId, title: 'Changed' });
  for (const other of others) expect(other).toBe(first);
  expect(looks.count).toBe(2);
});

test('who comes with an old tag while others wait is answered at once', async () => {
  const { waits, chatId, tag: known } = await start();
  const [one, other] = enter(waits, 'one', 2);
  const open = one?.wait(chatId, { for: 'change', known }, 60_000);
  await other?.wait(chatId, { for: 'change', known }, 10);
  other?.leave();
  const late = waits.enter('one').wait(chatId, { for: 'change', known: 'old' }, 60_000);
  expect((await late)?.chat.id).toBe(chatId);
  one?.leave();
  expect(await open).toBeNull();
});

test('waiting fails when the chat can not be read', async () => {
  const { waits, chatId, tag: known, change, looks, listeners } = await start();
  const open = waits.enter('one').wait(chatId, { for: 'change', known }, 60_000);
  // It may reject while the change is still being written.
  const failing = expect(open).rejects.toThrow('gone');
  looks.error = new Error('gone');
  await change();
  await failing;
  expect(listeners()).toBe(0);
});
