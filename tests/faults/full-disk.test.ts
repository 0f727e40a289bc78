/** A disk that takes nothing, as the running service meets it: by a limit of zero bytes a file, which every write then fails on. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { StorageAnswer } from '../../shared/api/storage.ts';
import { eventually } from '../support/eventually.ts';
import { createTempDir, type TestClient } from '../support/service.ts';
import { runService, type ServiceProcess } from '../support/service-process.ts';

/** Can be lifted while the process runs. */
const NO_ROOM = '-S -f 0';

const liftLimit = ({ pid }: ServiceProcess): unknown =>
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited']);

const chatIds = async (api: TestClient): Promise<string[]> =>
  (await api.get('/api/v1/chats')).json<{ data: Chat[] }>().data.map(({ id }) => id);

describe.runIf(process.platform === 'linux')('a full disk', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'after a %s: Parley starts, reads, refuses in words, and goes on when there is room',
    async (signal) => {
      const dataDir = await createTempDir();
      const before = await runService(dataDir);
      const { id } = await before.api.createChat();
      await before.api.send(id, 'What is 2 + 3?');
      await before.end(signal);

      const service = await runService(dataDir, NO_ROOM);
      const { api } = service;
      expect(service.apiKey).toBe(before.apiKey);
      expect(await chatIds(api)).toEqual([id]);
      expect((await api.messages(id))[0]?.content).toBe('What is 2 + 3?');
      const refused = await api.post('/api/v1/chats', {});
      expect({ status: refused.status, code: refused.error().code }).toEqual({
        status: 507,
        code: 'storage_full',
      });
      const { storage } = (await api.get('/api/v1/storage')).json<StorageAnswer>();
      expect(storage).toMatchObject({ state: 'refusing', notices: [{ code: 'refusing' }] });
      expect(service.stderr()).toContain("connection.json can't be written");

      liftLimit(service);
      await eventually(async () => expect((await api.post('/api/v1/chats', {})).status).toBe(201));
      await eventually(() => expect(existsSync(join(dataDir, 'connection.json'))).toBe(true));
      expect((await api.settled(id)).status).toBe('idle');
      expect((await api.messages(id)).at(-1)?.content).toContain('5');
      expect(await service.end('SIGTERM')).toBe(0);
      expect(existsSync(join(dataDir, 'connection.json'))).toBe(false);
    },
  );

  it('ends in order when it is stopped', async () => {
    const dataDir = await createTempDir();
    await (await runService(dataDir)).end('SIGTERM');
    const service = await runService(dataDir, NO_ROOM);
    const { api } = service;
    expect((await api.post('/api/v1/chats', {})).status).toBe(507);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('at the very first start is told in words', async () => {
    const dataDir = join(await createTempDir(), 'new');
    await expect(runService(dataDir, NO_ROOM)).rejects.toThrow(
      /ended with 1:\nThe disk with .*new is full\./,
    );
  });
});
