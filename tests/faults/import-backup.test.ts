/** Imports and backups that a kill or the disk ends half-way: chats are whole or not there, and a backup is one or not there. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Chat, ChatList } from '../../shared/api/chat.ts';
import type { ExportFile, ImportResult } from '../../shared/api/data.ts';
import { archiveOf, plainGptChat } from '../support/archives.ts';
import { rounds } from '../support/effort.ts';
import { exportedChat, exportFileOf, said } from '../support/exported.ts';
import { faultyDisk, type Fault } from '../support/faulty-disk.ts';
import { mortalService } from '../support/mortal-service.ts';
import { startTestService, type TestClient } from '../support/service.ts';

const SHORT = 2;
const LONG = 2_000;
const KILLS = rounds(2);

/** Short chats around two long ones. */
function manyChats(): ExportFile {
  const short = () =>
    Array.from({ length: 40 }, () =>
      exportedChat(Array.from({ length: SHORT }, () => said('x'.repeat(1_000)))),
    );
  const long = () => exportedChat(Array.from({ length: LONG }, (_, index) => said(`message ${index}`)));
  return exportFileOf(...short(), long(), ...short(), long(), ...short());
}

/** How many chats there are; throws unless each is whole. */
async function countWhole(client: TestClient): Promise<number> {
  const chats: Chat[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = (await client.get(`/api/v1/chats?pageSize=100&page=${page}`)).json<ChatList>();
    chats.push(...data);
    if (chats.length >= total) break;
  }
  for (const { id } of chats) expect([SHORT, LONG]).toContain((await client.messages(id)).length);
  return chats.length;
}

describe('an import that is killed', () => {
  const mortal = mortalService();

  it('leaves whole chats only, and the same file brings in the rest', { timeout: 240_000 }, async () => {
    const file = manyChats();
    let there = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const service = await mortal.start();
      const client = service.api;
      const importing = client.post('/api/v1/import', file).catch(() => null);
      // Once it has come further than the last time, at some moment of what follows.
      await expect
        .poll(async () => (await client.get('/api/v1/chats')).json<ChatList>().total, { timeout: 30_000 })
        .toBeGreaterThanOrEqual(Math.min(there + 1, file.chats.length));
      await sleep((kill * 53) % 150);
      await service.end('SIGKILL');
      await importing;
      const next = await mortal.start();
      const found = await countWhole(next.api);
      expect(found).toBeGreaterThanOrEqual(there);
      there = found;
      await next.end('SIGKILL');
    }
    const client = (await mortal.start()).api;
    const result = (await client.post('/api/v1/import', file)).json<ImportResult>();
    expect(result).toMatchObject({ skipped: there, copied: 0, imported: file.chats.length - there });
    expect(await countWhole(client)).toBe(file.chats.length);
  });

  it(
    'leaves nothing else of an archive of another app, and it can be brought in again',
    { timeout: 120_000 },
    async () => {
      const total = 800;
      const body = archiveOf(Array.from({ length: total }, () => plainGptChat('x'.repeat(1_000), 'y')));
      const headers = { 'content-type': 'application/zip' };
      const service = await mortal.start();
      const importing = service.api.post('/api/v1/import', undefined, { body, headers }).catch(() => null);
      await expect
        .poll(async () => (await service.api.get('/api/v1/chats')).json<ChatList>().total, {
          timeout: 30_000,
        })
        .toBeGreaterThan(0);
      await service.end('SIGKILL');
      await importing;
      expect(await readdir(mortal.dataDir)).toContain('import.tmp');
      const { api } = await mortal.start();
      expect(await readdir(mortal.dataDir)).not.toContain('import.tmp');
      const there = (await api.get('/api/v1/chats')).json<ChatList>().total;
      expect(there).toBeLessThan(total);
      const answer = await api.post('/api/v1/import', undefined, { body, headers });
      expect(answer.json<ImportResult>()).toMatchObject({
        skipped: there,
        copied: 0,
        imported: total - there,
      });
    },
  );
});

const FAULTS: [string, Pick<Fault, 'calls' | 'code'>, number][] = [
  ['is full', { calls: ['write'], code: 'ENOSPC' }, 507],
  ['fails to write', { calls: ['write'], code: 'EIO' }, 500],
];

describe('a disk that', () => {
  it.each(FAULTS)(
    '%s in the middle of an import leaves whole chats, says how many, and can go on',
    { timeout: 120_000 },
    async (_what, fault, status) => {
      const disk = faultyDisk();
      const limits = { checkIntervalMs: 20 };
      const client = await startTestService({ store: { disk, limits } });
      const file = manyChats();
      for (const afterBytes of [60_000, 300_000]) {
        disk.fail({ ...fault, afterBytes, path: /log/ });
        const answer = await client.post('/api/v1/import', file);
        expect(answer.status, answer.text).toBe(status);
        disk.heal();
        await expect.poll(() => client.service.store.writable, { timeout: 10_000 }).toBe(true);
        const there = await countWhole(client);
        expect(there).toBeLessThan(file.chats.length);
        if (there > 0) expect(answer.error().message).toMatch(/Chats that are in: \d+, each of them whole/);
      }
      const result = (await client.post('/api/v1/import', file)).json<ImportResult>();
      expect(result.imported + result.skipped).toBe(file.chats.length);
      expect(await countWhole(client)).toBe(file.chats.length);
    },
  );

  it.each(FAULTS)(
    '%s in the middle of a backup leaves none, and the next one is sound',
    { timeout: 60_000 },
    async (_what, fault, status) => {
      const disk = faultyDisk();
      const client = await startTestService({ store: { disk } });
      const file = exportFileOf(
        ...Array.from({ length: 50 }, () => exportedChat([said(crypto.randomUUID().repeat(100))])),
      );
      expect((await client.post('/api/v1/import', file)).status).toBe(200);
      disk.fail({ ...fault, afterBytes: 2_000, path: /backups/ });
      const refused = await client.post('/api/v1/backups');
      expect([refused.status, client.service.store.writable], refused.text).toEqual([status, true]);
      expect(await readdir(join(client.service.dataDir, 'backups'))).toEqual([]);
      disk.heal();
      expect((await client.post('/api/v1/backups')).status).toBe(201);
    },
  );

  it('gives back other bytes than were written has no backup called one', { timeout: 60_000 }, async () => {
    const disk = faultyDisk();
    const open = disk.open.bind(disk);
    disk.open = async (path, mode) => {
      const file = await open(path, mode);
      if (!path.includes('backups')) return file;
      return {
        ...file,
        write: (data, position) =>
          file.write(
            data.map((byte, at) => (at === 30 ? byte ^ 1 : byte)),
            position,
          ),
      };
    };
    const client = await startTestService({ store: { disk } });
    expect((await client.post('/api/v1/import', exportFileOf(exportedChat([said('hello')])))).status).toBe(
      200,
    );
    const answer = await client.post('/api/v1/backups');
    expect([answer.status, answer.error().code]).toEqual([500, 'storage_unavailable']);
    expect(answer.error().message).toContain('could not be read back');
    expect(await readdir(join(client.service.dataDir, 'backups'))).toEqual([]);
  });
});
