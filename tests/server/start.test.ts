import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OwnedError, ownDataDir } from '../../server/owner.ts';
import { startService } from '../../server/start.ts';
import { createTempDir, startTestService } from '../support/service.ts';

describe('startService', () => {
  it('makes the workspace "Personal" once, however often it starts', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect(second.service.workspaceId).toBe(first.service.workspaceId);
    const { workspaces } = (await second.get('/api/v1/workspaces')).json<{
      workspaces: { name: string }[];
    }>();
    expect(workspaces.map(({ name }) => name)).toEqual(['Personal']);
  });

  it('refuses a folder that another has, and says who', async () => {
    const { service } = await startTestService();
    const error = await startService({ dataDir: service.dataDir, port: 0 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(OwnedError);
    expect((error as OwnedError).owner).toEqual({ pid: process.pid, baseUrl: service.url });
    expect((error as OwnedError).message).toContain(service.url);
  });

  it('gives up what it had taken when it can not start', async () => {
    const dataDir = await createTempDir();
    const { service: other } = await startTestService();
    await expect(startService({ dataDir, port: other.port })).rejects.toThrow('in use');
    expect(existsSync(join(dataDir, 'connection.json'))).toBe(false);
    const { service } = await startTestService({ dataDir });
    expect(service.port).toBeGreaterThan(0);
  });

  it('removes what a process that died left in connection.json, even when it then fails', async () => {
    const dataDir = await createTempDir();
    await writeFile(join(dataDir, 'connection.json'), '{"pid":1}');
    await writeFile(join(dataDir, 'store'), 'not a folder');
    await expect(startService({ dataDir, port: 0, log: () => undefined })).rejects.toThrow();
    expect(existsSync(join(dataDir, 'connection.json'))).toBe(false);
    (await ownDataDir(dataDir)).release().catch(() => undefined);
  });

  it('leaves no temporary files behind', async () => {
    const { service } = await startTestService();
    expect((await readdir(service.dataDir)).sort()).toEqual(['connection.json', 'local-key', 'store']);
    await service.close();
    expect((await readdir(service.dataDir)).sort()).toEqual(['local-key', 'store']);
  });

  it('replaces left-over temporary files, whatever their mode', async () => {
    const dataDir = await createTempDir();
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'connection.json.tmp'), 'x');
    await chmod(join(dataDir, 'connection.json.tmp'), 0o666);
    const { service } = await startTestService({ dataDir });
    expect((await readdir(service.dataDir)).sort()).toEqual(['connection.json', 'local-key', 'store']);
  });
});

describe('close', () => {
  it('may be called twice, and ends idle keep-alive connections at once', async () => {
    const api = await startTestService();
    await api.get('/health');
    const began = performance.now();
    await Promise.all([api.service.close(), api.service.close()]);
    expect(performance.now() - began).toBeLessThan(5_000);
    await expect(api.get('/health')).rejects.toThrow();
  });

  it('answers or refuses what is under way, and loses nothing that was acknowledged', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const chat = await first.createChat();
    const sends = Array.from({ length: 50 }, (_, index) =>
      first.post(`/api/v1/chats/${chat.id}/messages`, { content: `message ${index}` }).catch(() => null),
    );
    await sends[0];
    await first.service.close();
    const answers = await Promise.all(sends);
    const accepted = answers.filter((answer) => answer?.status === 200).length;
    expect(accepted).toBeGreaterThan(0);
    for (const answer of answers) {
      if (answer !== null && answer.status !== 200) expect(answer.error().code).toBe('shutting_down');
    }
    const second = await startTestService({ dataDir });
    const users = (await second.messages(chat.id)).filter(({ role }) => role === 'user');
    expect(users.length).toBeGreaterThanOrEqual(accepted);
    await second.settled(chat.id);
  });
});
