import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OwnedError, ownDataDir } from '../../server/process/owner/owner.ts';
import { startService } from '../../server/start.ts';
import type { Settings } from '../../shared/api/settings.ts';
import { DEFAULT_SETTINGS } from '../../shared/default-settings.ts';
import { eventually } from '../support/eventually.ts';
import { faultyDisk } from '../support/faulty-disk.ts';
import { rehearse, replyOf } from '../support/rehearse.ts';
import { createTempDir, startTestService } from '../support/service.ts';

/** All but what says whose the folder is while it is used. */
const filesIn = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => !/^owner[-.]/.test(name)).sort();

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
    expect(await filesIn(service.dataDir)).toEqual(['connection.json', 'identity', 'local-key', 'store']);
    await service.close();
    expect(await filesIn(service.dataDir)).toEqual(['identity', 'local-key', 'store']);
  });

  it('replaces left-over temporary files, whatever their mode', async () => {
    const dataDir = await createTempDir();
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'connection.json.tmp'), 'x');
    await chmod(join(dataDir, 'connection.json.tmp'), 0o666);
    const { service } = await startTestService({ dataDir });
    expect(await filesIn(service.dataDir)).toEqual(['connection.json', 'identity', 'local-key', 'store']);
  });
});

describe('what a host in the same process has', () => {
  it('opens sessions that work in all workspaces, each with a key of its own', async () => {
    const api = await startTestService();
    const one = api.service.openSession();
    const other = api.service.openSession();
    expect(one.workspaceId).toBe(api.service.workspaceId);
    expect(other.apiKey).not.toBe(one.apiKey);
    for (const { apiKey } of [one, other]) {
      expect((await api.get('/api/v1/settings', { key: apiKey })).status).toBe(200);
    }
  });

  it('finds the workspace of a chat, unless that was deleted', async () => {
    const api = await startTestService();
    const chat = await api.createChat();
    expect(api.service.findWorkspaceOf(chat.id)).toBe(api.service.workspaceId);
    expect(api.service.findWorkspaceOf('no such chat')).toBeNull();
    await api.request({ method: 'DELETE', path: `/api/v1/chats/${chat.id}` });
    expect(api.service.findWorkspaceOf(chat.id)).toBeNull();
  });

  it('is told of changed settings, and of nothing else', async () => {
    const api = await startTestService();
    const reported: Settings[] = [];
    const stop = api.service.onSettingsChange((settings) => reported.push(settings));
    const patch = (json: object): Promise<unknown> =>
      api.request({ method: 'PATCH', path: '/api/v1/settings', json });
    await api.createChat();
    await patch({ keepRunning: false });
    await patch({ keepRunning: true });
    await eventually(() => expect(reported).toEqual([{ ...DEFAULT_SETTINGS, keepRunning: true }]));
    expect(api.service.settings.current().keepRunning).toBe(true);
    stop();
    await patch({ keepRunning: false });
    let untold = false;
    api.service.onSettingsChange(() => (untold = true));
    await patch({ keepRunning: true });
    await eventually(() => expect(untold).toBe(true));
    expect(reported).toHaveLength(1);
  });

  it('is not harmed by a listener that throws', async () => {
    const api = await startTestService();
    const reported: boolean[] = [];
    api.service.onSettingsChange(() => {
      throw new Error('a listener');
    });
    api.service.onSettingsChange(({ wrapCode }) => reported.push(wrapCode));
    await api.request({ method: 'PATCH', path: '/api/v1/settings', json: { wrapCode: true } });
    await eventually(() => expect(reported).toEqual([true]));
    expect(api.log.join()).toContain('a listener failed');
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

  it('releases turns although a compaction hangs, so that they go on at the next start however often that happens', async () => {
    const dataDir = await createTempDir();
    let replying = '';
    for (let stop = 0; stop < 4; stop += 1) {
      const disk = faultyDisk();
      const service = await startTestService({ dataDir, store: { disk } });
      if (stop === 0) replying = await rehearse(service, 'It goes on', '::stall');
      await eventually(async () =>
        expect(await replyOf(service, replying)).toMatchObject({
          status: 'streaming',
          content: 'It goes on',
        }),
      );
      const { id } = await service.createChat();
      disk.hang(['write'], /snapshot/);
      const deleted = service
        .request({ method: 'DELETE', path: `/api/v1/chats/${id}?permanent=true` })
        .catch(() => null);
      const files = (): Promise<string[]> => readdir(join(dataDir, 'store'));
      await eventually(async () =>
        expect(await files()).toContainEqual(expect.stringMatching(/^snapshot.*tmp$/)),
      );
      await service.service.close();
      await deleted;
      expect(service.log.join('\n')).not.toContain('takes too long');
    }
  });
});
