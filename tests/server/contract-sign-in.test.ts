/** Signing in at a tool server over the API of a running service, and a reply whose tool needs it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StepApproval } from '../../shared/api/message.ts';
import type { McpServer, McpSignIn, McpSignOutAnswer } from '../../shared/api/mcp.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpMcpServer, STDIO_MCP_SERVER } from '../support/mcp-server/index.ts';
import { browse, startSignInServers, type SignInServers } from '../support/mcp-server/sign-in.ts';
import { asked, rehearse, replyOf } from '../support/rehearse.ts';
import {
  createTempDir,
  keyElsewhere,
  outcome,
  startTestService,
  type TestClient,
} from '../support/service.ts';

const PATH = '/api/v1/mcp-servers';

const startServers = async (): Promise<SignInServers> => {
  const servers = await startSignInServers();
  onTestFinished(() => servers.close());
  return servers;
};

const add = async (client: TestClient, url: string): Promise<string> =>
  (await client.post(PATH, { name: 'Lamp', transport: 'http', url })).json<{ server: McpServer }>().server.id;

const lampOf = async (client: TestClient): Promise<McpServer | undefined> =>
  (await client.get(PATH)).json<{ servers: McpServer[] }>().servers[0];

const begin = async (client: TestClient, id: string): Promise<McpSignIn> => {
  const answer = await client.post(`${PATH}/${id}/sign-in`, {});
  expect(answer.status, answer.text).toBe(200);
  return answer.json<McpSignIn>();
};

/** Signs in as a browser does, page and all; resolves with the page that ends it. */
const signIn = async (client: TestClient, id: string): Promise<Response> =>
  fetch(await browse((await begin(client, id)).url));

const approve = async (client: TestClient, chatId: string, { id }: StepApproval): Promise<void> => {
  const answer = await client.post(`/api/v1/chats/${chatId}/approvals/${id}`, { decision: 'approve' });
  expect(answer.status, answer.text).toBe(200);
};

describe('a sign-in at a tool server', () => {
  it('goes over the page of the service, which needs no key and runs nothing', async () => {
    const servers = await startServers();
    const client = await startTestService();
    const id = await add(client, servers.lamp.url);
    expect(await lampOf(client)).toMatchObject({ signIn: 'needed' });
    const { url, expiresAt } = await begin(client, id);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    const redirect = new URL(url).searchParams.get('redirect_uri');
    expect(redirect).toBe(`${client.service.url}/oauth/callback`);
    expect(await lampOf(client)).toMatchObject({ signIn: 'pending' });
    const back = await browse(url);
    const page = await fetch(back);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    expect(text).toContain('Signed in');
    expect(text).not.toContain(back.searchParams.get('code') ?? '?');
    await eventually(async () =>
      expect(await lampOf(client)).toMatchObject({ signIn: 'present', state: 'connected' }),
    );
    const again = await fetch(back);
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('doesn’t wait');
  });

  it('outlives a restart in the middle, and is kept out of everything but the file of secrets', async () => {
    const servers = await startServers();
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const id = await add(first, servers.lamp.url);
    const back = await browse((await begin(first, id)).url);
    await first.service.close();
    const client = await startTestService({ dataDir });
    back.port = String(client.service.port);
    // The registration names the old port, so only the way back differs.
    expect((await fetch(back)).status).toBe(200);
    await eventually(async () => expect(await lampOf(client)).toMatchObject({ state: 'connected' }));
    const file = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as {
      secrets: Record<string, { text: string }>;
    };
    const kept = JSON.parse(file.secrets[`mcp-sign-in:${id}`]?.text ?? '{}') as {
      tokens: { access_token: string; refresh_token: string };
      registration: { client: { client_id: string } };
    };
    const { access_token: accessToken, refresh_token: refreshToken } = kept.tokens;
    const secrets = [accessToken, refreshToken, kept.registration.client.client_id];
    expect(secrets.every((secret) => secret.length > 10)).toBe(true);
    expect((await client.post('/api/v1/backups')).status).toBeLessThan(300);
    const backups = await readdir(join(dataDir, 'backups'));
    const backup = gunzipSync(await readFile(join(dataDir, 'backups', backups[0] ?? ''))).toString();
    const requests = await client.get('/api/v1/requests');
    const answers = (await Promise.all([client.get(PATH), client.get('/api/v1/export')])).map(
      ({ text }) => text,
    );
    const store = await Promise.all(
      (await readdir(join(dataDir, 'store'))).map((name) => readFile(join(dataDir, 'store', name), 'latin1')),
    );
    const shown = [backup, requests.text, ...answers, ...store, ...first.log, ...client.log].join('\n');
    for (const secret of [
      ...secrets,
      back.searchParams.get('code') ?? '',
      back.searchParams.get('state') ?? '',
    ]) {
      expect(shown).not.toContain(secret);
    }
  });

  it('is for keys with the scope admin, and for servers that have one', async () => {
    const servers = await startServers();
    const client = await startTestService();
    const id = await add(client, servers.lamp.url);
    const key = await keyElsewhere(client);
    for (const action of ['sign-in', 'sign-out']) {
      expect(outcome(await client.post(`${PATH}/${id}/${action}`, {}, { key }))).toEqual([403, 'forbidden']);
      expect(outcome(await client.post(`${PATH}/nobody/${action}`, {}))).toEqual([
        404,
        'mcp_server_not_found',
      ]);
    }
    const program = { name: 'Program', transport: 'stdio', ...STDIO_MCP_SERVER, enabled: false };
    const keyed = {
      name: 'Keyed',
      transport: 'http',
      url: servers.lamp.url,
      headers: { authorization: 'Bearer abc' },
    };
    for (const body of [program, keyed]) {
      const made = (await client.post(PATH, body)).json<{ server: McpServer }>().server;
      expect(made.signIn).toBe('none');
      expect(outcome(await client.post(`${PATH}/${made.id}/sign-in`, {}))).toEqual([409, 'conflict']);
    }
    expect((await client.post(`${PATH}/${id}/sign-out`)).json<McpSignOutAnswer>()).toMatchObject({
      isRevoked: false,
    });
  });

  it('is not offered for a server that only wants a key', async () => {
    const lamp = await startHttpMcpServer({ header: { name: 'x-key', value: 'abc' } });
    onTestFinished(() => lamp.close());
    const client = await startTestService();
    await add(client, lamp.url);
    const server = await lampOf(client);
    expect(server).toMatchObject({ signIn: 'none', state: 'failed' });
    expect(server?.problem).toContain('asks for a key');
  });
});

describe('a reply whose tool needs a sign-in', () => {
  it('asks for it and goes on after it, without making the call before', async () => {
    const servers = await startServers();
    const client = await startTestService();
    const id = await add(client, servers.lamp.url);
    await signIn(client, id);
    await eventually(async () => expect(await lampOf(client)).toMatchObject({ state: 'connected' }));
    const chatId = await rehearse(client, '::tool lamp__echo {"text":"hi"}', 'Done.');
    const plain = await asked(client, chatId);
    expect(plain.signIn).toBeUndefined();
    servers.expire();
    servers.revokeAll();
    await approve(client, chatId, plain);
    const wanted = await eventually(async () => {
      const approval = await asked(client, chatId);
      expect(approval.signIn).toEqual({ serverId: id, name: 'Lamp' });
      return approval;
    });
    expect(wanted.summary).toContain('sign in first');
    servers.restoreAll();
    expect((await signIn(client, id)).status).toBe(200);
    await approve(client, chatId, wanted);
    expect((await client.settled(chatId)).status).toBe('idle');
    expect((await replyOf(client, chatId))?.steps).toMatchObject([
      { tool: 'lamp__echo', status: 'done', output: { text: 'hi' } },
    ]);
  });

  it('asks again when it is allowed without having signed in, and then fails in words', async () => {
    const servers = await startServers();
    const client = await startTestService();
    const id = await add(client, servers.lamp.url);
    await signIn(client, id);
    await eventually(async () => expect(await lampOf(client)).toMatchObject({ state: 'connected' }));
    servers.expire();
    servers.revokeAll();
    const chatId = await rehearse(client, '::tool lamp__echo {"text":"hi"}', 'So be it.');
    const seen = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      const approval = await eventually(async () => {
        const next = await asked(client, chatId);
        expect(seen.has(next.id)).toBe(false);
        return next;
      });
      seen.add(approval.id);
      await approve(client, chatId, approval);
    }
    await client.settled(chatId);
    expect((await replyOf(client, chatId))?.steps).toMatchObject([
      { status: 'failed', error: expect.stringContaining('Sign in again') as string },
    ]);
    expect((await replyOf(client, chatId))?.steps?.[0]?.inDoubt).toBeUndefined();
  });
});
