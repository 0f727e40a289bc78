import { describe, expect, it, onTestFinished } from 'vitest';
import { buildApp, type AppDeps } from '../../server/app.ts';
import type { Caller } from '../../server/auth/caller.ts';
import { createSessions } from '../../server/auth/sessions.ts';
import { AppError } from '../../server/errors.ts';
import type { App } from '../../server/plugins/endpoints.ts';
import { closeApp, listenOnLoopback } from '../../server/process/listening.ts';
import { createTestClient, type TestClient } from '../support/service.ts';

const CALLER: Caller = {
  kind: 'key',
  name: 'test',
  scope: 'chat',
  reach: false,
  approve: false,
  workspaceId: 'w',
};

/** The real app over these parts; nothing is asked of the others. */
function appOver(parts: Partial<Record<keyof AppDeps, unknown>>): App {
  const closing = { close: () => undefined };
  const deps = {
    waits: closing,
    streams: closing,
    statelessTurns: closing,
    authenticator: { identify: () => CALLER, watch: () => ({ holder: 'a key', isInForce: () => true }) },
    sessions: createSessions({ findKey: () => CALLER, onUse: () => undefined }),
    hasWorkspace: () => true,
    version: '1',
    pageDir: null,
    ...parts,
  };
  return buildApp(deps as unknown as AppDeps);
}

/** The real app over a chat service whose every call fails as told. */
async function startFailing(fail: () => never): Promise<{ client: TestClient; logged: unknown[] }> {
  const logged: unknown[] = [];
  const failing = async (): Promise<never> => fail();
  const app = appOver({
    chats: { list: failing, admit: () => Promise.resolve(), send: failing },
    settings: { current: fail },
    onError: (error: unknown, requestId: string) => logged.push([error, requestId]),
  });
  onTestFinished(() => closeApp(app));
  return { client: createTestClient(await listenOnLoopback(app, [0]), 'any'), logged };
}

describe('a fault of ours', () => {
  const fault = new TypeError('secret internals at /home/ada/.ssh');

  it.each([
    ['in a route', (client: TestClient) => client.get('/api/v1/chats')],
    ['while sending', (client: TestClient) => client.post('/api/v1/chats/x/messages', { content: 'hi' })],
    [
      'in the guard',
      (client: TestClient) => client.get('/health', { headers: { origin: 'https://a.example' } }),
    ],
  ])('%s is a 500 that says nothing of it, and is logged with the id of the request', async (_name, call) => {
    const { client, logged } = await startFailing(() => {
      throw fault;
    });
    const answer = await call(client);
    expect([answer.status, answer.error().code]).toEqual([500, 'internal_error']);
    expect(answer.text).not.toMatch(/secret|ssh|TypeError/);
    expect(logged).toEqual([[fault, answer.headers['x-request-id']]]);
  });

  it('is a 500 too when something is thrown that is no error at all', async () => {
    const { client } = await startFailing(() => {
      // oxlint-disable-next-line typescript/only-throw-error
      throw null;
    });
    expect((await client.get('/api/v1/chats')).error().code).toBe('internal_error');
  });
});

describe('a store that refuses', () => {
  it.each([
    ['storage_full', 507],
    ['storage_unavailable', 500],
    ['queue_full', 429],
  ] as const)('with %s is answered with %i', async (code, status) => {
    const { client, logged } = await startFailing(() => {
      throw new AppError(code);
    });
    const answer = await client.post('/api/v1/chats/x/messages', { content: 'hi' });
    expect([answer.status, answer.error().code]).toEqual([status, code]);
    expect(logged).toEqual([]);
  });
});

describe('the app without its guard', () => {
  it('lets nobody in', async () => {
    const app = appOver({});
    onTestFinished(() => app.close());
    for (const [method, url] of [
      ['GET', '/api/v1/chats'],
      ['POST', '/api/v1/chats'],
      ['GET', '/api/v1/chats/x'],
      ['GET', '/api/v1/chats/x/messages'],
      ['POST', '/api/v1/chats/x/stop'],
      ['GET', '/api/v1/workspaces'],
      ['POST', '/api/v1/workspaces'],
      ['PATCH', '/api/v1/workspaces/x'],
      ['GET', '/api/v1/connections'],
      ['POST', '/api/v1/connections'],
      ['GET', '/api/v1/mcp-servers'],
      ['POST', '/api/v1/mcp-servers'],
      ['PATCH', '/api/v1/chats/x'],
      ['DELETE', '/api/v1/chats/x'],
      ['POST', '/api/v1/chats/x/restore'],
      ['GET', '/api/v1/drafts'],
      ['GET', '/api/v1/folders'],
      ['POST', '/api/v1/folders'],
      ['DELETE', '/api/v1/folders/x'],
      ['GET', '/api/v1/agents'],
      ['POST', '/api/v1/agents'],
      ['PATCH', '/api/v1/agents/x'],
      ['DELETE', '/api/v1/agents/x'],
      ['GET', '/api/v1/tools'],
      ['GET', '/api/v1/models'],
      ['POST', '/api/v1/session'],
    ] as const) {
      expect((await app.inject({ method, url })).statusCode).toBe(401);
    }
  });
});
