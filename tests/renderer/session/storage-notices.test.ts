import { expect, onTestFinished, test, vi } from 'vitest';
import { StorageNotices } from '../../../renderer/session/storage-notices.svelte.ts';
import type { Storage } from '../../../shared/api/storage.ts';

test('shows what the service tells until it is put away, and again when it says something else or comes back', async () => {
  const storage: Storage = {
    bytes: 8,
    limitBytes: 10,
    files: { count: 0, bytes: 0 },
    state: 'nearly_full',
    notices: [],
  };
  const notices = new StorageNotices({ findStorage: () => Promise.resolve(storage) });
  const shown = (): string[] => notices.items.map(({ message }) => message);
  storage.notices = [{ code: 'nearly_full', message: '8 of 10' }];
  await notices.refresh();
  expect(shown()).toEqual(['8 of 10']);
  for (const notice of notices.items) notices.putAway(notice);
  await notices.refresh();
  expect(shown()).toEqual([]);
  storage.notices = [{ code: 'nearly_full', message: '9 of 10' }];
  await notices.refresh();
  expect(shown()).toEqual(['9 of 10']);
  for (const notice of notices.items) notices.putAway(notice);
  const { notices: before } = storage;
  for (const now of [[], before]) {
    storage.notices = now;
    await notices.refresh();
  }
  expect(shown()).toEqual(['9 of 10']);
  notices.close();
});

test('a disk that refuses is looked at again soon', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const storage = { notices: [{ code: 'refusing', message: 'No room' }] };
  const notices = new StorageNotices({ findStorage: () => Promise.resolve(storage as Storage) });
  onTestFinished(() => notices.close());
  await notices.refresh();
  expect(notices.items).toHaveLength(1);
  storage.notices = [];
  await vi.advanceTimersByTimeAsync(3_000);
  expect(notices.items).toEqual([]);
});
