import { expect, test } from 'vitest';
import type { Chat } from '../../../../shared/api/chat.ts';
import { MAX_PAGE_SIZE } from '../../../../shared/limits.ts';
import type { ApiClient } from '../../../../renderer/api/client.ts';
import { Data } from '../../../../renderer/settings/data/data.svelte.ts';

test('deleted chats that were listed stay listed when they are loaded anew', async () => {
  const deleted = Array.from({ length: MAX_PAGE_SIZE + 5 }, (_, index) => ({ id: `c${index}` }) as Chat);
  const listChats = (page: number, limit: number) =>
    Promise.resolve({
      data: deleted.slice((page - 1) * limit, page * limit),
      total: deleted.length,
      page,
      limit,
    });
  const data = new Data({ listChats } as unknown as ApiClient, () => undefined);
  await data.refreshDeleted();
  expect(data.deleted).toHaveLength(MAX_PAGE_SIZE);
  expect(data.deletedTotal).toBe(MAX_PAGE_SIZE + 5);
  await data.moreDeleted();
  expect(data.deleted).toEqual(deleted);
  deleted.shift();
  await data.refreshDeleted();
  expect(data.deleted).toEqual(deleted);
});
