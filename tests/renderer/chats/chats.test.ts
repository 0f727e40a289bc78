import { expect, test, vi } from 'vitest';
import { Chats } from '../../../renderer/chats/chats.svelte.ts';
import type { Chat, ChatList } from '../../../shared/api/chat.ts';
import { aChat } from '../support/conversations.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 0, minute)).toISOString();
const chat = (id: string, minute: number, more: Partial<Chat> = {}): Chat =>
  aChat({ id, title: id, updatedAt: at(minute), ...more });

/** A service with so many chats, the newest of which is `c0`, that lists them as the real one does. */
function open(count: number) {
  const service = {
    chats: Array.from({ length: count }, (_, index) => chat(`c${index}`, 100_000 - index)),
    asked: [] as string[],
    isDown: false,
    /** Called while a list is on its way. */
    meanwhile: (): void => undefined,
  };
  const listChats = async (
    page: number,
    pageSize: number,
    filter: { pinned?: string; archived?: string; projectId?: string } = {},
  ): Promise<ChatList> => {
    service.asked.push(`${filter.archived ?? filter.pinned ?? ''} ${page}`);
    if (service.isDown) throw new Error('Away.');
    const isArchive = filter.archived === 'only';
    const listed = service.chats
      .filter(({ archived }) => archived === isArchive)
      .filter(({ projectId = 'none' }) => filter.projectId === undefined || projectId === filter.projectId)
      .filter(({ pinned }) => filter.pinned === undefined || pinned === (filter.pinned === 'true'))
      .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    const data = listed.slice((page - 1) * pageSize, page * pageSize);
    await Promise.resolve();
    service.meanwhile();
    return { data, total: listed.length };
  };
  const change = (): Promise<Chat> => Promise.reject(new Error('Not here.'));
  const chats = new Chats({
    listChats,
    updateChat: change,
    deleteChat: change,
    restoreChat: change,
    moveChat: change,
  });
  /** The service changes a chat, or makes it, and the stream tells. */
  const put = (reported: Chat): void => {
    service.chats = [...service.chats.filter(({ id }) => id !== reported.id), reported];
    chats.take({ type: 'chats', chats: [reported], gone: [] });
  };
  const relist = async (): Promise<void> => {
    chats.take({ type: 'relist' });
    await vi.waitFor(() => expect(chats.loaded).toBe(true));
  };
  return { service, chats, put, relist };
}

const ids = (chats: readonly Chat[]): string[] => chats.map(({ id }) => id);

test('the list is asked for when the stream says so, and from then on only told', async () => {
  const { service, chats, put, relist } = open(3);
  await relist();
  expect([ids(chats.listed), chats.hasMore]).toEqual([['c0', 'c1', 'c2'], false]);
  expect(service.asked.sort()).toEqual(['false 1', 'true 1']);

  put(chat('c2', 200_000));
  put(chat('new', 200_001));
  expect(ids(chats.listed)).toEqual(['new', 'c2', 'c0', 'c1']);
  put(chat('c1', 200_000, { pinned: true }));
  chats.take({ type: 'chats', chats: [], gone: ['c0'] });
  expect(ids(chats.listed)).toEqual(['c1', 'new', 'c2']);
  put(chat('c2', 200_002, { status: 'pending', queuePosition: 4 }));
  chats.take({ type: 'queue', positions: { c2: 3, new: 1, nobody: 2 } });
  expect(chats.find('c2')?.queuePosition).toBe(3);
  expect(chats.find('new')?.queuePosition).toBeUndefined();
  expect(service.asked).toHaveLength(2);
});

test('of a long list a change of what isn’t known yet waits until it is asked for', async () => {
  const { chats, put, relist } = open(250);
  await relist();
  expect([chats.listed.length, chats.hasMore]).toEqual([100, true]);
  put(chat('c200', 100_000 - 200, { title: 'Another' }));
  expect(chats.listed).toHaveLength(100);
  put(chat('c200', 200_000));
  expect(ids(chats.listed).slice(0, 2)).toEqual(['c200', 'c0']);
  await chats.loadMore();
  await chats.loadMore();
  expect([chats.listed.length, chats.hasMore]).toEqual([250, false]);
});

test('older pages have no gaps, however many chats have come or gone since', async () => {
  const { service, chats, put, relist } = open(350);
  await relist();
  const gone = ids(chats.listed).slice(10, 50);
  service.chats = service.chats.filter(({ id }) => !gone.includes(id));
  chats.take({ type: 'chats', chats: [], gone });
  for (let index = 0; index < 5; index += 1) put(chat(`new${index}`, 200_000 + index));
  for (let page = 1; page <= 4; page += 1) await chats.loadMore();
  const listed = [...service.chats].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  expect(ids(chats.listed)).toEqual(ids(listed));
});

test('many chats at once, as from an import, make the list no longer than a page or than it was', async () => {
  const { service, chats, relist } = open(3);
  await relist();
  for (let event = 0; event < 10; event += 1) {
    const reported = Array.from({ length: 50 }, (_, index) =>
      chat(`${event}-${index}`, event * 1_000 + index),
    );
    service.chats = [...service.chats, ...reported];
    chats.take({ type: 'chats', chats: reported, gone: [] });
  }
  const listed = [...service.chats].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  expect([ids(chats.listed), chats.hasMore]).toEqual([ids(listed).slice(0, 100), true]);
  for (let page = 2; page <= 6; page += 1) await chats.loadMore();
  expect([ids(chats.listed), chats.hasMore]).toEqual([ids(listed), false]);
  chats.take({ type: 'chats', chats: [chat('a', 200_000), chat('b', 200_001)], gone: [] });
  expect([chats.listed.length, ids(chats.listed)[0], chats.hasMore]).toEqual([505, 'b', false]);
});

test('what is told while a list is on its way counts, whichever of them is older', async () => {
  const { service, chats, put, relist } = open(2);
  let count = 0;
  service.meanwhile = () => {
    count += 1;
    if (count > 2) return;
    put(chat(`new${count}`, 200_000 + count));
    chats.take({ type: 'chats', chats: [], gone: ['c1'] });
    service.chats = service.chats.filter(({ id }) => id !== 'c1');
  };
  await relist();
  expect(ids(chats.listed)).toEqual(['new2', 'new1', 'c0']);
});

test('all that is known is asked for again, archived chats too once they were, until there is an answer', async () => {
  vi.useFakeTimers();
  const { service, chats } = open(250);
  service.chats.push(chat('old', 5, { archived: true }));
  chats.take({ type: 'relist' });
  await vi.advanceTimersByTimeAsync(0);
  await chats.loadMore();
  await chats.loadArchived();
  expect(ids(chats.archived)).toEqual(['old']);
  service.chats = service.chats
    .filter(({ id }) => id !== 'c150')
    .map((one) => (one.id === 'old' ? { ...one, title: 'Other' } : one));
  service.isDown = true;
  chats.take({ type: 'relist' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(chats.find('c150')).toBeDefined();
  service.isDown = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(chats.find('c150')).toBeUndefined();
  expect(chats.find('c199')).toBeDefined();
  expect(ids(chats.archived).map((id) => chats.find(id)?.title)).toEqual(['Other']);
  chats.close();
  vi.useRealTimers();
});

test('the chats of a project are asked for when it is opened, and stand where they are moved to', async () => {
  const { service, chats, put, relist } = open(3);
  service.chats = [...service.chats, { ...chat('p0', 5), projectId: 'p' }];
  await relist();
  expect([ids(chats.others), chats.isKnown('p')]).toEqual([['c0', 'c1', 'c2'], false]);
  // Nothing is shown of a list that wasn't asked for.
  put({ ...chat('p1', 6), projectId: 'p' });
  expect(ids(chats.inProject('p'))).toEqual([]);

  await chats.loadMore('p');
  expect([ids(chats.inProject('p')), chats.hasMoreOf('p')]).toEqual([['p1', 'p0'], false]);
  put({ ...chat('c1', 300_000), projectId: 'p' });
  expect([ids(chats.inProject('p')), ids(chats.others)]).toEqual([
    ['c1', 'p1', 'p0'],
    ['c0', 'c2'],
  ]);
  // The project is deleted, and its chats stay.
  service.chats = [
    chat('c1', 300_000),
    chat('c0', 100_000),
    chat('c2', 99_998),
    chat('p1', 6),
    chat('p0', 5),
  ];
  await relist();
  await vi.waitFor(() => expect(ids(chats.others)).toEqual(['c1', 'c0', 'c2', 'p1', 'p0']));
  // With a project that has no chats left, no list is asked for any more.
  await vi.waitFor(() => expect(service.asked.slice(-3)).toEqual(['true 1', 'false 1', 'false 1']));
  service.asked.length = 0;
  chats.take({ type: 'relist' });
  await vi.waitFor(() => expect(service.asked).toHaveLength(2));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(service.asked).toEqual(['true 1', 'false 1']);
});
