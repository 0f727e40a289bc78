import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CreatedKey } from '../../shared/api/key.ts';
import type { Session, SignedInBrowser } from '../../shared/api/session.ts';
import { askProof, createBrowser, createTestKey, isProof, NONCE } from '../support/browser-client.ts';
import { modeOf, PRIVATE_FILE } from '../support/platform.ts';
import { createTempDir, createTestClient, startTestService, type TestClient } from '../support/service.ts';

const tokenOf = (url: string): string => new URL(url).hash.replace('#token=', '');
const isIn = async (api: TestClient, { apiKey: key }: { apiKey: string }): Promise<boolean> =>
  (await api.get('/api/v1/settings', { key })).status === 200;
const listed = async (api: TestClient, key?: string): Promise<SignedInBrowser[]> =>
  (await api.get('/api/v1/sessions', { ...(key !== undefined && { key }) })).json<{
    sessions: SignedInBrowser[];
  }>().sessions;
const rotate = async (api: TestClient, key: string): Promise<string> =>
  (await api.post('/api/v1/keys/local/rotate', {}, { key })).json<{ apiKey: string }>().apiKey;
const remove = (api: TestClient, path: string, key?: string): ReturnType<TestClient['request']> =>
  api.request({ method: 'DELETE', path: `/api/v1/sessions${path}`, ...(key !== undefined && { key }) });
const createAdmin = async (api: TestClient): Promise<CreatedKey> =>
  (await api.post('/api/v1/keys', { name: 'For a while', scope: 'admin' })).json<CreatedKey>();

describe('the service’s proof of who it is', () => {
  it('is for the nonce and the address that were sent, by the key in connection.json', async () => {
    const api = await startTestService();
    const { url, port, dataDir } = api.service;
    const { publicKey } = JSON.parse(await readFile(join(dataDir, 'connection.json'), 'utf8')) as {
      publicKey: string;
    };
    const { status, signature } = await askProof(api);
    expect(status).toBe('ok');
    expect(isProof(publicKey, url, signature)).toBe(true);
    expect(isProof(publicKey, 'http://127.0.0.1:1', signature)).toBe(false);
    const named = await askProof(api, `localhost:${port}`);
    expect(isProof(publicKey, `http://localhost:${port}`, named.signature)).toBe(true);
    expect((await api.get(`/health?nonce=${NONCE}`, { headers: { host: '127.0.0.1:1' } })).status).toBe(421);
  });

  it('is not given for what is no nonce', async () => {
    const api = await startTestService();
    for (const nonce of ['', 'short', 'A'.repeat(87), 'A'.repeat(21) + '%0A']) {
      expect((await api.get(`/health?nonce=${nonce}`)).error().code).toBe('invalid_request');
    }
    expect(Object.keys((await api.get('/health')).json<object>())).toEqual(['status', 'version']);
  });

  it('is by a key that only the owner can read, the same over restarts, and made anew when damaged', async () => {
    const dataDir = await createTempDir();
    const start = async (): Promise<string> => {
      const api = await startTestService({ dataDir });
      const { serverKey } = (await api.post('/api/v1/session', {})).json<Session>();
      expect(isProof(serverKey, api.service.url, (await askProof(api)).signature)).toBe(true);
      await api.service.close();
      return serverKey;
    };
    const key = await start();
    expect(await modeOf(join(dataDir, 'identity'))).toBe(PRIVATE_FILE);
    expect(await start()).toBe(key);
    await writeFile(join(dataDir, 'identity'), 'nothing');
    const next = await start();
    expect(next).not.toBe(key);
    expect(await start()).toBe(next);
  });
});

describe('a browser that signed in', () => {
  it('comes back after a restart, and nothing that it sent is good a second time', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const { port, url } = first.service;
    const browser = createBrowser();
    const session = await browser.signIn(first, tokenOf(first.service.createPageUrl()));
    expect(await isIn(first, session)).toBe(true);
    const unused = await browser.credential(first, url);
    await first.service.close();

    const second = await startTestService({ dataDir, port });
    expect(await isIn(second, session)).toBe(false);
    const ofFirst = await second.post('/api/v1/session', {}, { key: unused });
    expect(ofFirst.error().code).toBe('unauthorized');
    const credential = await browser.credential(second, url);
    expect((await second.get('/api/v1/settings', { key: credential })).status).toBe(401);
    const back = (await second.post('/api/v1/session', {}, { key: credential })).json<Session>();
    expect(back).toEqual({ ...session, apiKey: expect.not.stringMatching(session.apiKey) as string });
    expect(await isIn(second, back)).toBe(true);
    expect((await second.post('/api/v1/session', {}, { key: credential })).status).toBe(401);
  });

  it('comes back only with its own signature, over this address, and only where it signed in', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const [browser, other] = [createBrowser(), createBrowser()];
    await browser.signIn(first, first.service.apiKey);
    await other.signIn(first, first.service.apiKey);
    const { url } = first.service;
    expect((await browser.comeBack(first, 'http://127.0.0.1:1')).status).toBe(401);
    const [own, foreign] = [await browser.credential(first, url), await other.credential(first, url)];
    const mixed = own.replace(browser.id, other.id);
    for (const key of [mixed, own.slice(0, -1), `${own}A`, own.replace('back_', 'page_')]) {
      expect((await first.post('/api/v1/session', {}, { key })).status).toBe(401);
    }
    expect((await first.post('/api/v1/session', {}, { key: foreign })).status).toBe(200);
    await first.service.close();
    const elsewhere = await startTestService({ dataDir });
    for (const address of [url, elsewhere.service.url]) {
      expect((await browser.comeBack(elsewhere, address)).status).toBe(401);
    }
  });

  it('gives a key on P-256, or is told what is wrong', async () => {
    const api = await startTestService();
    for (const publicKey of ['AAAA', createTestKey('P-384').publicKey]) {
      const answer = await api.post('/api/v1/session', { publicKey });
      expect(answer.error()).toMatchObject({ code: 'invalid_request', details: [{ path: '/publicKey' }] });
    }
    expect(await listed(api)).toEqual([]);
  });

  it('is listed with what it is and what it came from, once, however often it signs in', async () => {
    const api = await startTestService();
    const { key, apiKey } = await createAdmin(api);
    const [browser, other] = [createBrowser(), createBrowser('curl/8')];
    await browser.signIn(api, apiKey);
    const session = await browser.signIn(api, tokenOf(api.service.createPageUrl()));
    await other.signIn(api, apiKey);
    await api.post('/api/v1/session', {});
    const sessions = await listed(api, session.apiKey);
    expect(sessions).toEqual([
      {
        id: other.id,
        name: '',
        key: { id: key.id, name: 'For a while', kind: 'person' },
        createdAt: expect.stringMatching(/Z$/) as string,
        lastUsedAt: expect.stringMatching(/Z$/) as string,
        current: false,
      },
      expect.objectContaining({
        id: browser.id,
        name: 'Firefox on Linux',
        key: expect.objectContaining({ kind: 'local' }) as unknown,
        current: true,
      }),
    ]);
    expect((await listed(api)).map(({ current }) => current)).toEqual([false, false]);
  });

  it('is signed out by its id: its sessions end at once, and it can’t come back', async () => {
    const api = await startTestService();
    const [browser, other] = [createBrowser(), createBrowser()];
    const session = await browser.signIn(api, api.service.apiKey);
    const kept = await other.signIn(api, api.service.apiKey);
    const answer = await remove(api, `/${browser.id}`, kept.apiKey);
    expect(answer.json<{ session: SignedInBrowser }>().session).toMatchObject({ id: browser.id });
    expect(await isIn(api, session)).toBe(false);
    expect((await browser.comeBack(api, api.service.url)).status).toBe(401);
    expect((await listed(api)).map(({ id }) => id)).toEqual([other.id]);
    expect(await isIn(api, kept)).toBe(true);
    expect((await remove(api, `/${browser.id}`)).error().code).toBe('session_not_found');
  });

  it('signs out everywhere else: browsers, bare sessions and links that weren’t opened; the desktop’s windows stay', async () => {
    const api = await startTestService();
    const [browser, other] = [createBrowser(), createBrowser()];
    const session = await browser.signIn(api, api.service.apiKey);
    const ended = await other.signIn(api, api.service.apiKey);
    const bare = (await api.post('/api/v1/session', {})).json<Session>();
    const link = tokenOf(api.service.createPageUrl());
    const desktop = api.service.openSession();
    const answer = await remove(api, '', session.apiKey);
    expect(answer.json<{ sessions: SignedInBrowser[] }>().sessions.map(({ id }) => id)).toEqual([browser.id]);
    expect([await isIn(api, ended), await isIn(api, bare)]).toEqual([false, false]);
    expect((await api.post('/api/v1/session', {}, { key: link })).status).toBe(401);
    expect([await isIn(api, session), await isIn(api, desktop)]).toEqual([true, true]);
    expect((await other.comeBack(api, api.service.url)).status).toBe(401);
    expect((await browser.comeBack(api, api.service.url)).status).toBe(200);
  });
});

describe('a new local key', () => {
  it('ends what came from the old one or a printed link, and nothing of who asked for it, also after a restart', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const { service } = first;
    const admin = await createAdmin(first);
    const [asking, ofKey, ofLink, ofAdmin] = [1, 2, 3, 4].map(() => createBrowser());
    if (!asking || !ofKey || !ofLink || !ofAdmin) throw new Error('not here');
    // As a second start on the same data prints it.
    const second = (await first.post('/api/v1/page-link')).json<{ pageUrl: string }>().pageUrl;
    const tab = await asking.signIn(first, tokenOf(second));
    const otherTab = (await asking.comeBack(first, service.url)).json<Session>();
    const ended = [
      await ofKey.signIn(first, service.apiKey),
      await ofLink.signIn(first, tokenOf(service.createPageUrl())),
    ];
    const kept = await ofAdmin.signIn(first, admin.apiKey);
    const unopened = tokenOf(service.createPageUrl());
    const desktop = service.openSession();

    const apiKey = await rotate(first, tab.apiKey);
    for (const session of ended) expect(await isIn(first, session)).toBe(false);
    for (const session of [tab, otherTab, kept, desktop]) expect(await isIn(first, session)).toBe(true);
    expect((await first.post('/api/v1/session', {}, { key: unopened })).status).toBe(401);
    const local = createTestClient(service.port, apiKey);
    expect((await listed(local)).map(({ id }) => id).sort()).toEqual([asking.id, ofAdmin.id].sort());

    await service.close();
    const next = await startTestService({ dataDir, port: service.port });
    const statuses = await Promise.all(
      [asking, ofAdmin, ofKey, ofLink].map((browser) => browser.comeBack(next, next.service.url)),
    );
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 401, 401]);
    await next.request({ method: 'DELETE', path: `/api/v1/keys/${admin.key.id}` });
    expect((await ofAdmin.comeBack(next, next.service.url)).status).toBe(401);
    expect((await listed(next)).map(({ id }) => id)).toEqual([asking.id]);
  });

  it('never turns away a browser that asks for several at once', async () => {
    const api = await startTestService();
    const browser = createBrowser();
    const session = await browser.signIn(api, api.service.apiKey);
    let isRotating = true;
    const polled: boolean[] = [];
    const poll = async (): Promise<void> => {
      while (isRotating) polled.push(await isIn(api, session));
    };
    const polling = [1, 2, 3].map(poll);
    await Promise.all([1, 2, 3].map(() => rotate(api, session.apiKey)));
    isRotating = false;
    await Promise.all(polling);
    expect(polled).not.toContain(false);
    expect(await isIn(api, session)).toBe(true);
    expect((await browser.comeBack(api, api.service.url)).status).toBe(200);
  });
});
