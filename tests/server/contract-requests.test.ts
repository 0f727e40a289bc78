import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RecentRequest } from '../../shared/api/request-log.ts';
import type { Session } from '../../shared/api/session.ts';
import { MAX_RECENT_REQUESTS } from '../../shared/limits.ts';
import { NONCE } from '../support/browser-client.ts';
import { eventually } from '../support/eventually.ts';
import { sendRaw, startTestService, type TestClient, type TestService } from '../support/service.ts';

const list = async (client: TestClient, query = '', key?: string): Promise<RecentRequest[]> =>
  (await client.get(`/api/v1/requests${query}`, key === undefined ? {} : { key })).json<{
    requests: RecentRequest[];
  }>().requests;

const signIn = async (api: TestService): Promise<string> => {
  const token = new URL(api.service.createPageUrl()).hash.replace('#token=', '');
  return (await api.post('/api/v1/session', undefined, { key: token })).json<Session>().apiKey;
};

describe('GET /api/v1/requests', () => {
  it('tells what was asked, newest first, with who asked, how it went and how long it took', async () => {
    const api = await startTestService();
    const { text } = await api.service.keys.create({
      kind: 'person',
      name: 'My script',
      scope: 'chat',
      workspaceId: api.service.workspaceId,
      expiresAt: null,
    });
    const made = await api.post('/api/v1/chats', {}, { key: text });
    const refused = await api.get('/api/v1/chats/nothing', { key: text });
    const requests = await list(api);
    expect(requests).toEqual([
      {
        number: 2,
        time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        method: 'GET',
        path: '/api/v1/chats/nothing',
        status: 404,
        durationMs: expect.any(Number) as number,
        caller: 'My script',
        requestId: refused.headers['x-request-id'],
      },
      expect.objectContaining({
        number: 1,
        method: 'POST',
        status: 201,
        requestId: made.headers['x-request-id'],
      }),
    ]);
    for (const { durationMs } of requests) expect(durationMs).toBeGreaterThan(0);
  });

  it('tells those that were turned away: without a key, with a bad one, from elsewhere, and what is not HTTP', async () => {
    const api = await startTestService();
    const { port } = api.service;
    await api.get('/api/v1/chats', { key: null });
    await api.get('/api/v1/chats', { key: `parley_${'A'.repeat(43)}` });
    await api.get('/health', { headers: { host: 'evil.example' } });
    await api.get('/health', { headers: { origin: 'https://evil.example' } });
    await api.get('/api/v1/%zz');
    await sendRaw(port, 'BREW coffee\r\n\r\n');
    await sendRaw(port, `CONNECT ada:pw@example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
    const reported = (await list(api)).map(({ method, path, status, caller }) => [
      method,
      path,
      status,
      caller,
    ]);
    expect(reported.reverse()).toEqual([
      ['GET', '/api/v1/chats', 401, null],
      ['GET', '/api/v1/chats', 401, null],
      ['GET', '/health', 421, null],
      ['GET', '/health', 403, null],
      ['GET', '/api/v1/%zz', 400, 'Local key'],
      ['', '', 400, null],
      ['CONNECT', expect.not.stringContaining('pw') as string, 404, null],
    ]);
  });

  it('never tells a key, a token, the text of a message or the words of a search', async () => {
    const api = await startTestService();
    const chat = await api.createChat();
    await api.send(chat.id, 'xylophone');
    await api.get('/api/v1/search?q=xylophone');
    await api.get(`/api/v1/chats?key=${api.service.apiKey}&note=xylophone`);
    await api.get(`/api/v1/${api.service.apiKey}`);
    await signIn(api);
    const answer = await api.get('/api/v1/requests');
    expect(answer.json<{ requests: unknown[] }>().requests.length).toBeGreaterThanOrEqual(6);
    expect(answer.text).not.toMatch(/xylophone|parley_|page_/);
  });

  it('leaves out what Parley’s own page asks, when told to, and never forgets others over it', async () => {
    const api = await startTestService();
    await api.get('/api/v1/chats');
    const session = await signIn(api);
    await api.get('/', { key: null });
    for (let count = 0; count <= MAX_RECENT_REQUESTS; count += 1) {
      await api.get('/api/v1/workspaces', { key: session });
    }
    const others = await list(api, '?external=true', session);
    expect(others.at(-1)).toMatchObject({ number: 1, caller: 'Local key' });
    expect(others.filter(({ caller }) => caller === 'window')).toEqual([]);
    const all = await list(api, '', session);
    expect(all).toHaveLength(MAX_RECENT_REQUESTS);
    expect(all[0]).toMatchObject({ caller: 'window', path: '/api/v1/requests?external=true' });
  });

  it('leaves out the proofs that Parley’s own page asks for, and no others', async () => {
    const api = await startTestService();
    const proof = `/health?nonce=${NONCE}`;
    await api.get(proof, { key: null, headers: { 'sec-fetch-site': 'same-origin' } });
    await api.get(proof, { key: null });
    for (const query of ['', '?external=true']) {
      const shown = (await list(api, query)).filter(({ path }) => path.startsWith('/health'));
      expect(shown.map(({ caller }) => caller)).toEqual([null]);
    }
  });

  it('keeps the latest only, and tells those after a number', async () => {
    const api = await startTestService();
    const total = MAX_RECENT_REQUESTS + 20;
    for (let count = 1; count <= total; count += 1) await api.get(`/health?page=${count}`);
    const requests = await list(api);
    expect(requests).toHaveLength(MAX_RECENT_REQUESTS);
    expect(requests[0]?.number).toBe(total);
    expect(requests.at(-1)?.number).toBe(21);
    expect((await list(api, `?after=${total - 1}`)).map(({ number }) => number)).toEqual([total + 1, total]);
    expect(await list(api, '?after=999999')).toEqual([]);
  });

  it('tells a request whose client went away before there was an answer', async () => {
    const api = await startTestService();
    const { port, apiKey } = api.service;
    const outgoing = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/chats',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'content-length': 100,
        expect: '100-continue',
      },
    });
    outgoing.on('error', () => undefined);
    onTestFinished(() => void outgoing.destroy());
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.destroy();
    await eventually(async () => {
      expect((await list(api)).at(-1)).toMatchObject({ method: 'POST', path: '/api/v1/chats', status: 0 });
    });
  });

  it('tells a request that broke off in the midst of its body once', async () => {
    const api = await startTestService();
    const { port, apiKey } = api.service;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    const request = ['POST /api/v1/chats HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Content-Length: 100'];
    socket.end([...request, `Authorization: Bearer ${apiKey}`, '', '{"agentType":'].join('\r\n'));
    expect(await readText(socket)).toContain('"code":"invalid_request"');
    const others = async (): Promise<RecentRequest[]> =>
      (await list(api)).filter(({ path }) => path !== '/api/v1/requests');
    const brokenOff = { method: 'POST', path: '/api/v1/chats', status: 0 };
    await eventually(async () => expect(await others()).toContainEqual(expect.objectContaining(brokenOff)));
    expect(await others()).toHaveLength(1);
  });

  it('tells an event stream once it has ended, with how long it was open', async () => {
    const api = await startTestService();
    const { port, apiKey } = api.service;
    const { id } = await api.createChat();
    const path = `/api/v1/chats/${id}/events`;
    const outgoing = httpRequest({
      port,
      host: '127.0.0.1',
      path,
      headers: { authorization: `Bearer ${apiKey}` },
    });
    outgoing.on('error', () => undefined);
    onTestFinished(() => void outgoing.destroy());
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    await once(response, 'data');
    expect((await list(api)).map((request) => request.path)).not.toContain(path);
    outgoing.destroy();
    await eventually(async () => {
      const reported = (await list(api)).find((request) => request.path === path);
      expect(reported).toMatchObject({ method: 'GET', status: 200, caller: 'Local key' });
    });
  });

  it.each(['?after=-1', '?after=x', '?external=yes'])('refuses %s', async (query) => {
    const api = await startTestService();
    expect((await api.get(`/api/v1/requests${query}`)).error().code).toBe('invalid_request');
  });

  it('is for admins alone', async () => {
    const api = await startTestService();
    const { text } = await api.service.keys.create({
      kind: 'person',
      name: 'x',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    expect((await api.get('/api/v1/requests', { key: text })).error().code).toBe('forbidden');
  });
});
