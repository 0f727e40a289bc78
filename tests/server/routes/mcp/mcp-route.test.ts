import { describe, expect, it } from 'vitest';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { CreatedKey } from '../../../../shared/api/key.ts';
import type { RecentRequests } from '../../../../shared/api/request-log.ts';
import type { Workspace } from '../../../../shared/api/workspace.ts';
import { connectClient, httpTransport } from '../../../support/mcp-clients.ts';
import { createRehearsal, script, stepsOf } from '../../../support/rehearse.ts';
import {
  createTempDir,
  startSharedService,
  startTestService,
  type TestRequest,
  type TestService,
} from '../../../support/service.ts';

const ACCEPT = { accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};
const callOf = (name: string, input: object, id = 2): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

/** What is in the event stream that answers a request. */
const reported = (text: string): { result?: CallToolResult; error?: object }[] =>
  [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as object);

const post = (api: TestService, json: unknown, options: Partial<TestRequest> = {}) =>
  api.post('/mcp', json, { ...options, headers: { ...ACCEPT, ...options.headers } });

async function makeKey(api: TestService, rights: object = {}): Promise<CreatedKey> {
  return (await api.post('/api/v1/keys', { name: 'tool', ...rights })).json<CreatedKey>();
}

const api = await startSharedService();

describe('who gets in to /mcp', () => {
  it.each([
    ['no key', null],
    ['a wrong key', `parley_${'a'.repeat(43)}`],
  ])('nobody with %s', async (_name, key) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
      const answer = await api.request({ method, path: '/mcp', key });
      expect([answer.status, answer.headers['www-authenticate'], answer.error().code]).toEqual([
        401,
        'Bearer',
        'unauthorized',
      ]);
    }
    const client = connectClient(httpTransport(api.service.url, key ?? 'none'), 'legacy');
    await expect(client).rejects.toThrow('unauthorized');
  });

  it('nobody by another name than this computer’s, and no page of another origin', async () => {
    expect((await post(api, INITIALIZE, { headers: { host: 'elsewhere.example' } })).error().code).toBe(
      'wrong_host',
    );
    const origin = 'https://elsewhere.example';
    expect((await post(api, INITIALIZE, { headers: { origin } })).error().code).toBe('origin_forbidden');
    await api.request({ method: 'PATCH', path: '/api/v1/settings', json: { allowedOrigins: [origin] } });
    const allowed = await post(api, INITIALIZE, { headers: { origin } });
    expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([200, origin]);
    expect(allowed.headers['access-control-expose-headers']).toContain('Mcp-Session-Id');
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await api.request({ method: 'OPTIONS', path: '/mcp', key: null, headers: asked });
    expect(preflight.headers['access-control-allow-headers']).toContain('Mcp-Protocol-Version');
  });

  it('nothing that is no message', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await api.request({ method, path: '/mcp' });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
    }
    expect(
      (await post(api, undefined, { body: '{', headers: { 'content-type': 'application/json' } })).error()
        .code,
    ).toBe('invalid_json');
    expect((await post(api, undefined, { body: 'a' })).error().code).toBe('unsupported_media_type');
    expect((await post(api, ['x'.repeat(1024 * 1024)])).error().code).toBe('body_too_large');
    for (const body of [7, null, 'text', [], {}, { jsonrpc: '2.0' }, [1]]) {
      const answer = await post(api, body);
      expect(answer.status, JSON.stringify(body)).toBe(400);
    }
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'clients of version %s',
    async (protocolVersion) => {
      const { params } = INITIALIZE;
      const begun = await post(api, { ...INITIALIZE, params: { ...params, protocolVersion } });
      expect(reported(begun.text)).toMatchObject([{ result: { protocolVersion } }]);
      // Nothing is kept of it: a session's name may be left out, or be an old one.
      const headers = { 'mcp-protocol-version': protocolVersion, 'mcp-session-id': 'of another start' };
      const answer = await post(api, callOf('list_chats', {}), { headers });
      expect(reported(answer.text)).toMatchObject([{ id: 2, result: { structuredContent: { total: 0 } } }]);
    },
  );

  it('several messages at once, from clients that still send them so', async () => {
    const answer = await post(api, [callOf('list_chats', {}, 5), callOf('list_chats', {}, 6)]);
    expect(
      reported(answer.text)
        .map((message) => (message as { id?: number }).id)
        .toSorted(),
    ).toEqual([5, 6]);
  });

  it('and is not told of changes, for which nobody has to stay', async () => {
    const client = await connectClient(httpTransport(api.service.url, api.service.apiKey), 'modern');
    await expect(client.listen({ resourcesListChanged: true })).rejects.toThrow();
    await client.close();
  });

  it('and stands among the latest requests, by the name of the key', async () => {
    const { apiKey } = await makeKey(api, { workspaceId: api.service.workspaceId });
    await post(api, INITIALIZE, { key: apiKey });
    const { requests } = (await api.get('/api/v1/requests')).json<RecentRequests>();
    expect(requests.find(({ path }) => path === '/mcp')).toMatchObject({
      method: 'POST',
      caller: 'tool',
      status: 200,
    });
  });
});

describe('what a key may do at /mcp', () => {
  it('is what it may elsewhere: without reach it meets no question', async () => {
    const api = await startTestService();
    const { apiKey } = await makeKey(api, { workspaceId: api.service.workspaceId });
    const chatId = await createRehearsal(api);
    const message = script('::approve Paint the fence?', 'Done.');
    const answer = await post(api, callOf('ask', { chatId, message }), { key: apiKey });
    expect(reported(answer.text)).toMatchObject([
      { result: { structuredContent: { done: true, reply: 'Done.' } } },
    ]);
    expect((await stepsOf(api, chatId))[0]?.status).toBe('failed');
  });

  it('concerns its workspace, or the one that is named if it has none', async () => {
    const api = await startTestService();
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Other' })).json<{
      workspace: Workspace;
    }>();
    const bound = (await makeKey(api, { workspaceId: workspace.id })).apiKey;
    const unbound = (await makeKey(api)).apiKey;
    const mine = await api.createChat();
    const result = async (key: string, name: string, input: object, headers = {}): Promise<string> => {
      const [answer] = reported((await post(api, callOf(name, input), { key, headers })).text);
      return JSON.stringify(answer?.result?.content);
    };
    expect(await result(bound, 'read_chat', { chatId: mine.id })).toContain('no such chat');
    expect(await result(bound, 'ask', { chatId: mine.id, message: 'x' })).toContain('no such chat');
    expect(await result(bound, 'stop_reply', { chatId: mine.id })).toContain('no such chat');
    expect(await result(bound, 'list_chats', {})).toContain('0 chats in all');
    expect(await result(bound, 'list_chats', { workspaceId: mine.workspaceId })).toContain(
      'belongs to another',
    );
    expect(await result(unbound, 'list_chats', {})).toContain('so name one with workspaceId');
    expect(await result(unbound, 'list_chats', { workspaceId: mine.workspaceId })).toContain('1 chat in all');
    expect(await result(unbound, 'list_chats', {}, { 'x-workspace-id': mine.workspaceId })).toContain(
      '1 chat',
    );
    expect(await result(unbound, 'ask', { message: 'Hi', workspaceId: workspace.id })).toContain('idle');
    expect(await result(unbound, 'read_chat', { chatId: mine.id })).toContain('New chat');
    const client = await connectClient(httpTransport(api.service.url, bound), 'modern');
    expect((await client.listResources()).resources).toHaveLength(1);
    await expect(client.readResource({ uri: `parley://chats/${mine.id}` })).rejects.toThrow('not found');
    await client.close();
  });

  it('ends when it is revoked, for what waits already', async () => {
    const api = await startTestService();
    const { apiKey, key } = await makeKey(api, { workspaceId: api.service.workspaceId });
    const chatId = await createRehearsal(api);
    await api.send(chatId, script('::pause 20s', 'Done.'));
    const waiting = post(api, callOf('wait_for_reply', { chatId }), { key: apiKey });
    await api.request({ method: 'DELETE', path: `/api/v1/keys/${key.id}` });
    expect(reported((await waiting).text)).toMatchObject([{ result: { isError: true } }]);
  });
});

describe('a reply that was asked for at /mcp', () => {
  it('goes on when a client is gone that would have said so if it had wanted it stopped', async () => {
    const api = await startTestService();
    const chatId = await createRehearsal(api);
    const gone = new AbortController();
    const asked = fetch(`${api.service.url}/mcp`, {
      method: 'POST',
      headers: {
        ...ACCEPT,
        'content-type': 'application/json',
        authorization: `Bearer ${api.service.apiKey}`,
      },
      body: JSON.stringify(callOf('ask', { chatId, message: script('::pause 1s', 'Done.') })),
      signal: gone.signal,
    });
    const cutOff = expect(asked).rejects.toThrow();
    await expect.poll(async () => (await api.chat(chatId)).status).toBe('processing');
    gone.abort();
    await cutOff;
    await api.settled(chatId);
    expect((await api.messages(chatId)).at(-1)).toMatchObject({ content: 'Done.', stopReason: 'end' });
  });

  it('goes on at the next start when the service stops meanwhile', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const chatId = await createRehearsal(first);
    const client = await connectClient(httpTransport(first.service.url, first.service.apiKey), 'modern');
    const asked = client.callTool({
      name: 'ask',
      arguments: { chatId, message: script('::pause 1s', 'Done.') },
    });
    const ended = expect(asked).rejects.toThrow();
    await expect.poll(async () => (await first.chat(chatId)).status).toBe('processing');
    await first.service.close();
    await ended;
    await client.close();
    const second = await startTestService({ dataDir });
    await second.settled(chatId);
    expect((await second.messages(chatId)).at(-1)).toMatchObject({ content: 'Done.', stopReason: 'end' });
  });
});

describe('a chat as a resource', () => {
  it('is cut where it is too long to be read at once, and says how to read all of it', async () => {
    const api = await startTestService();
    const chatId = await createRehearsal(api);
    await api.send(chatId, script('long '.repeat(15_000).trim()));
    await api.settled(chatId);
    const read = async (id: string): Promise<string> => {
      const params = { uri: `parley://chats/${id}` };
      const answer = await post(api, { jsonrpc: '2.0', id: 3, method: 'resources/read', params });
      return answer.text;
    };
    expect(await read(chatId)).not.toContain('There is more');
    for (let times = 0; times < 2; times += 1) {
      await api.send(chatId, 'again '.repeat(12_000));
      await api.settled(chatId);
    }
    const text = await read(chatId);
    expect(text).toContain('There is more: read_chat');
    expect(text.length).toBeLessThan(220_000);
    expect(await read('%E0%A4%A')).toContain('not found');
    expect(api.log).toEqual([]);
  });
});
