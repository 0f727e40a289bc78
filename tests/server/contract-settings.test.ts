import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { updateSetting } from '../../server/store/settings-repository.ts';
import type { Settings } from '../../shared/api/settings.ts';
import { DEFAULT_SETTINGS } from '../../shared/default-settings.ts';
import {
  createTempDir,
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestClient,
} from '../support/service.ts';

const api = await startSharedService();

const patch = (changes: unknown, client: TestClient = api): Promise<TestAnswer> =>
  client.request({ method: 'PATCH', path: '/api/v1/settings', json: changes });
const settingsOf = (answer: TestAnswer): Settings => {
  expect(answer.status).toBe(200);
  return answer.json<{ settings: Settings }>().settings;
};
const read = async (client: TestClient = api): Promise<Settings> =>
  settingsOf(await client.get('/api/v1/settings'));

const SET: Settings = {
  theme: 'dark',
  textSize: 'large',
  wrapCode: true,
  sendKey: 'mod_enter',
  defaultMode: 'chat',
  nameChats: false,
  instructions: 'Answer briefly.',
  turnTimeoutMinutes: 12,
  port: 4999,
  allowedOrigins: ['https://example.com'],
  keepRunning: true,
  notifyReplies: false,
  checkSpelling: true,
  quickAskShortcut: 'mod+shift+space',
  certificateFile: null,
  webFetch: true,
  backupSchedule: 'daily',
  backupsToKeep: 3,
};

describe('settings', () => {
  it('are the defaults until somebody sets them', async () => {
    const own = await startTestService();
    expect(await read(own)).toEqual(DEFAULT_SETTINGS);
  });

  it('are changed one by one; what is absent stays, and unknown fields are ignored', async () => {
    const own = await startTestService();
    expect(settingsOf(await patch({ theme: 'dark', colour: 'red', toString: 1 }, own))).toEqual({
      ...DEFAULT_SETTINGS,
      theme: 'dark',
    });
    expect(settingsOf(await patch({ wrapCode: true }, own))).toEqual({
      ...DEFAULT_SETTINGS,
      theme: 'dark',
      wrapCode: true,
    });
    expect(settingsOf(await patch(undefined, own))).toEqual(await read(own));
  });

  it('are all there after a restart', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    expect(settingsOf(await patch(SET, first))).toEqual(SET);
    await first.service.close();
    expect(await read(await startTestService({ dataDir }))).toEqual(SET);
  });

  it.each([
    [{ theme: 'sepia' }, '"theme" must be "system", "light" or "dark"'],
    [{ textSize: 12 }, '"textSize" must be "small", "medium" or "large"'],
    [{ wrapCode: 'yes' }, '"wrapCode" must be true or false'],
    [{ sendKey: 'tab' }, '"sendKey" must be'],
    [{ defaultMode: '' }, '"defaultMode" must be'],
    [{ turnTimeoutMinutes: 0 }, '"turnTimeoutMinutes" must be a whole number from 1 to 120'],
    [{ turnTimeoutMinutes: 1.5 }, 'from 1 to 120'],
    [{ keepRunning: 1 }, '"keepRunning" must be true or false'],
    [
      { quickAskShortcut: '' },
      '"quickAskShortcut" must be keys like "mod+shift+space", with "mod" or "alt", or null',
    ],
    [{ quickAskShortcut: true }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'a' }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'shift+a' }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'shift+mod+a' }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'ctrl+a' }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'mod+' }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'mod+f13' }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'mod+mod+a' }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'mod+A' }, '"quickAskShortcut" must be keys like'],
    [{ quickAskShortcut: 'mod+ab' }, '"quickAskShortcut" must be keys like'],
    [{ port: 80 }, '"port" must be a whole number from 1024 to 65535, or null'],
    [{ port: '4141' }, '"port" must be a whole number'],
    [{ allowedOrigins: 'https://a.example' }, '"allowedOrigins" must be a list'],
    [{ allowedOrigins: ['https://a.example/path'] }, '"allowedOrigins.0" must be an origin'],
    [{ allowedOrigins: ['https://a.example', 'ftp://b.example'] }, '"allowedOrigins.1" must be an origin'],
    [{ allowedOrigins: ['null'] }, '"allowedOrigins.0" must be an origin'],
    [{ allowedOrigins: ['https://a.example:99999'] }, '"allowedOrigins.0" must be an origin'],
    [{ allowedOrigins: ['https://*.example'] }, '"*" does not stand for others'],
    [{ allowedOrigins: Array.from({ length: 51 }, () => 'https://a.example') }, 'at most 50'],
  ])('are refused as a whole when one makes no sense: %j', async (changes, words) => {
    const before = await read();
    const answer = await patch({ ...changes, textSize: 'small', ...changes });
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
    expect(answer.error().message).toContain(words);
    expect(await read()).toEqual(before);
  });

  it('take shortcuts for the quick-ask window, or none, and have each after a restart', async () => {
    const dataDir = await createTempDir();
    let client = await startTestService({ dataDir });
    const shortcuts = ['mod+shift+space', 'alt+space', 'mod+a', 'mod+alt+shift+f12', 'alt+shift+0', 'mod+f1'];
    for (const quickAskShortcut of [...shortcuts, null]) {
      await patch({ quickAskShortcut: 'mod+j' }, client);
      expect(settingsOf(await patch({ quickAskShortcut }, client)).quickAskShortcut).toBe(quickAskShortcut);
      await client.service.close();
      client = await startTestService({ dataDir });
      expect((await read(client)).quickAskShortcut).toBe(quickAskShortcut);
    }
  });

  it('fall back to the default where what is stored is damaged, unknown or no longer allowed', async () => {
    const own = await startTestService();
    await own.service.store.write((writer) => {
      writer.run(`INSERT INTO settings (name, value) VALUES ('theme', '{"broken')`);
      updateSetting(writer, 'textSize', 'huge');
      updateSetting(writer, 'turnTimeoutMinutes', 0);
      updateSetting(writer, 'port', 4242.5);
      updateSetting(writer, 'allowedOrigins', ['https://a.example', 7]);
      updateSetting(writer, 'keepRunning', 'true');
      updateSetting(writer, 'quickAskShortcut', 'shift+a');
      updateSetting(writer, '__proto__', { wrapCode: true });
      updateSetting(writer, 'constructor', 1);
      updateSetting(writer, 'wrapCode', true);
    });
    expect(await read(own)).toEqual({ ...DEFAULT_SETTINGS, wrapCode: true });
  });

  it('are for admins alone', async () => {
    const { text } = await api.service.keys.create({
      kind: 'person',
      name: 'x',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    expect((await api.get('/api/v1/settings', { key: text })).error().code).toBe('forbidden');
    const answer = await api.request({
      method: 'PATCH',
      path: '/api/v1/settings',
      key: text,
      json: { theme: 'x' },
    });
    expect(answer.error().code).toBe('forbidden');
  });
});

describe('allowedOrigins', () => {
  it('count at once, in the form that browsers send', async () => {
    const own = await startTestService();
    const call = (origin: string): Promise<TestAnswer> => own.get('/health', { headers: { origin } });
    expect((await call('https://a.example')).error().code).toBe('origin_forbidden');
    const { allowedOrigins } = settingsOf(
      await patch(
        { allowedOrigins: ['https://A.example:443', 'https://a.example', 'http://b.example:80'] },
        own,
      ),
    );
    expect(allowedOrigins).toEqual(['https://a.example', 'http://b.example']);
    expect((await call('https://a.example')).status).toBe(200);
    await patch({ allowedOrigins: [] }, own);
    expect((await call('https://a.example')).error().code).toBe('origin_forbidden');
  });
});

async function takePort(): Promise<{ port: number; free: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  let isFree = false;
  const free = async (): Promise<void> => {
    if (isFree) return;
    isFree = true;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(free);
  return { port: typeof address === 'object' && address !== null ? address.port : 0, free };
}

describe('port', () => {
  it('is where the next start listens when none is chosen', async () => {
    const dataDir = await createTempDir();
    const taken = await takePort();
    const first = await startTestService({ dataDir });
    await patch({ port: taken.port }, first);
    await first.service.close();
    await taken.free();
    const second = await startTestService({ dataDir, port: null });
    expect([second.service.port, second.service.portNote]).toEqual([taken.port, null]);
    await second.service.close();
    const third = await startTestService({ dataDir, port: 0 });
    expect(third.service.port).not.toBe(taken.port);
  });

  it('gives way to the default range when it is taken, and says so', async () => {
    const dataDir = await createTempDir();
    const taken = await takePort();
    const first = await startTestService({ dataDir });
    await patch({ port: taken.port }, first);
    await first.service.close();
    const second = await startTestService({ dataDir, port: null });
    expect(second.service.port).not.toBe(taken.port);
    const note = `Port ${taken.port} from the settings can't be used. Parley is on port ${second.service.port} instead.`;
    expect(second.service.portNote).toBe(note);
    expect(second.log).toContain(note);
    expect((await read(second)).port).toBe(taken.port);
  });
});
