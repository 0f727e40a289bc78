import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StorageAnswer } from '../../shared/api/storage.ts';
import { uploaded } from '../support/files.ts';
import { startTestService, type TestService } from '../support/service.ts';

const storage = async (service: TestService): Promise<StorageAnswer['storage']> =>
  (await service.get('/api/v1/storage')).json<StorageAnswer>().storage;

const withLimit = (limitBytes: number): Promise<TestService> =>
  startTestService({ store: { limits: { limitBytes } } });

test('GET /storage tells how full the store is, to admins alone', async () => {
  const service = await startTestService();
  const { bytes, limitBytes, state, notices } = await storage(service);
  expect(bytes).toBeGreaterThan(4_096);
  expect(limitBytes).toBe(2 ** 30);
  expect([state, notices]).toEqual(['ok', []]);
  const made = await service.post('/api/v1/keys', {
    name: 'bot',
    scope: 'chat',
    workspaceId: service.service.workspaceId,
  });
  const { apiKey } = made.json<{ apiKey: string }>();
  expect((await service.get('/api/v1/storage', { key: apiKey })).status).toBe(403);
});

test('from 70% of the limit on it says so, and everything goes on', async () => {
  const { bytes } = await storage(await startTestService());
  const service = await withLimit(Math.round(bytes / 0.72));
  const { state, notices } = await storage(service);
  expect(state).toBe('nearly_full');
  expect(notices).toMatchObject([
    { code: 'nearly_full', message: expect.stringContaining('can hold') as string },
  ]);
  const chat = await service.createChat();
  await service.send(chat.id, 'Hello');
  expect((await service.settled(chat.id)).status).toBe('idle');
});

test('at the limit what makes it grow is refused with 507 in words, and everything can be read and deleted', async () => {
  const { bytes } = await storage(await startTestService());
  const service = await withLimit(bytes + 40_000);
  const chat = await service.createChat();
  const key = { headers: { 'idempotency-key': 'first' } };
  const path = `/api/v1/chats/${chat.id}/messages`;
  expect((await service.post(path, { content: 'x'.repeat(60_000) }, key)).status).toBe(200);
  await service.settled(chat.id);
  await expect.poll(async () => (await storage(service)).state).toBe('full');

  const refused = await service.post(path, { content: 'more' });
  expect([refused.status, refused.error().code]).toEqual([507, 'storage_full']);
  expect(refused.error().message).toMatch(/store is full.*delete chats for good/);
  expect((await service.post('/api/v1/chats', {})).status).toBe(507);
  const repeated = await service.post(path, { content: 'x'.repeat(60_000) }, key);
  expect(repeated.status).toBe(200);
  expect(await service.messages(chat.id)).toHaveLength(2);

  expect(
    (await service.request({ method: 'DELETE', path: `/api/v1/chats/${chat.id}?permanent=true` })).status,
  ).toBe(200);
  await expect.poll(async () => (await storage(service)).state).not.toBe('full');
  const next = await service.createChat();
  await service.send(next.id, 'short');
  expect((await service.settled(next.id)).status).toBe('idle');
});

test('it counts the files of messages, equal ones once, and tells of those that are lost', async () => {
  const service = await startTestService();
  expect((await storage(service)).files).toEqual({ count: 0, bytes: 0 });
  const id = await uploaded(service, 'a.txt', 'one');
  await uploaded(service, 'b.txt', 'one');
  await uploaded(service, 'c.txt', 'three');
  expect((await storage(service)).files).toEqual({ count: 2, bytes: 8 });
  await service.request({ method: 'DELETE', path: `/api/v1/files/${id}` });
  expect((await storage(service)).files).toEqual({ count: 2, bytes: 8 });
  const { dataDir } = service.service;
  await service.service.close();
  await rm(join(dataDir, 'files'), { recursive: true });
  const next = await startTestService({ dataDir });
  await expect
    .poll(async () => (await storage(next)).notices)
    .toMatchObject([
      { code: 'files_lost', message: expect.stringMatching(/^2 files of messages are no longer/) as string },
    ]);
});
