import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { placeOfServer } from '../../server/store/mcp-repository.ts';
import {
  listToolPermissions,
  updateToolPermission,
  type ToolPermission,
} from '../../server/store/tool-permission-repository.ts';
import type { McpServer, McpTest } from '../../shared/api/mcp.ts';
import { MAX_MCP_SERVERS } from '../../shared/limits.ts';
import { startHttpMcpServer, STDIO_MCP_SERVER } from '../support/mcp-server/index.ts';
import { createTestClient, startTestService, type TestAnswer, type TestClient } from '../support/service.ts';

const PATH = '/api/v1/mcp-servers';
/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9/mcp';
const KEY = 'lamp-key-keep-this-to-yourself';
const OTHER_KEY = 'lamp-key-and-this-one-as-well';

const serverOf = (answer: TestAnswer, status: number): McpServer => {
  expect(answer.status, answer.text).toBe(status);
  return answer.json<{ server: McpServer }>().server;
};
const allowance = (tool: string, serverId: string): ToolPermission => ({
  id: tool,
  workspaceId: 'w',
  tool,
  place: placeOfServer(serverId),
  placeName: 'Lamp',
  described: '',
  createdAt: '2026-01-01T00:00:00.000Z',
});

const make = async (api: TestClient, body: object): Promise<McpServer> =>
  serverOf(await api.post(PATH, body), 201);
const change = (api: TestClient, id: string, json: unknown): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path: `${PATH}/${id}`, json });
const remove = (api: TestClient, id: string): Promise<TestAnswer> =>
  api.request({ method: 'DELETE', path: `${PATH}/${id}` });
const off = { name: 'Lamp', transport: 'http', url: NOBODY, enabled: false };

describe('a tool server', () => {
  it('is there once it is made, with its tools, and never tells its values', async () => {
    const api = await startTestService();
    const made = await make(api, {
      name: ' My\tLamp ',
      transport: 'stdio',
      ...STDIO_MCP_SERVER,
      env: { LAMP_KEY: KEY },
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'My Lamp',
      slug: 'my-lamp',
      transport: 'stdio',
      ...STDIO_MCP_SERVER,
      url: null,
      secretNames: ['LAMP_KEY'],
      signIn: 'none',
      secrets: 'present',
      enabled: true,
      agents: ['orchestrator'],
      tools: expect.arrayContaining([
        { name: 'my-lamp__echo', tool: 'echo', description: 'Says what it is told.', isReadOnly: true },
      ]) as unknown,
      toolsListedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      state: 'connected',
      problem: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect((await api.get(PATH)).json<{ servers: McpServer[] }>().servers).toEqual([made]);
  });

  it('is changed field by field, value by value', async () => {
    const api = await startTestService();
    const { id } = await make(api, { ...off, headers: { 'X-One': 'one', 'X-Two': 'two' } });
    const changed = serverOf(
      await change(api, id, {
        name: 'Lantern',
        agents: 'all',
        headers: { 'x-one': null, 'X-Three': 'three' },
      }),
      200,
    );
    expect(changed).toMatchObject({
      name: 'Lantern',
      slug: 'lamp',
      agents: 'all',
      url: NOBODY,
      secretNames: ['X-Two', 'X-Three'],
      state: 'off',
    });
    expect(serverOf(await change(api, id, {}), 200)).toEqual(changed);
  });

  it('is gone once it is removed', async () => {
    const api = await startTestService();
    const { id } = await make(api, { ...off, headers: { 'X-Key': KEY } });
    expect(serverOf(await remove(api, id), 200)).toMatchObject({ id, secretNames: [], secrets: 'none' });
    expect((await api.get(PATH)).json()).toEqual({ servers: [] });
    expect(await api.service.secrets.names()).toEqual([]);
  });

  it('is the same after a restart', async () => {
    const api = await startTestService();
    const made = await make(api, { ...off, headers: { 'X-Key': KEY } });
    const { dataDir } = api.service;
    await api.service.close();
    const again = await startTestService({ dataDir });
    expect((await again.get(PATH)).json()).toEqual({ servers: [made] });
  });

  it.each([
    ['another program', { command: 'other-lamp' }],
    ['other arguments', { args: ['--other'] }],
  ])('that becomes %s has to ask again for what was always allowed', async (_what, json) => {
    const api = await startTestService();
    const { store } = api.service;
    const stdio = { name: 'Lamp', transport: 'stdio', command: 'lamp', enabled: false };
    const { id } = await make(api, stdio);
    const other = await make(api, { ...stdio, name: 'Lamp' });
    const all = ['lamp-2__echo', 'lamp__echo'];
    await store.write((writer) => {
      updateToolPermission(writer, allowance('lamp__echo', id));
      updateToolPermission(writer, allowance('lamp-2__echo', other.id));
    });
    const remembered = (): string[] => store.read(listToolPermissions).map(({ tool }) => tool);
    await change(api, id, { name: 'Lantern', agents: 'all', env: { LAMP_KEY: KEY } });
    expect(remembered()).toEqual(all);
    await change(api, id, json);
    expect(remembered()).toEqual(['lamp-2__echo']);
  });

  it('that is removed leaves nothing that was always allowed to the next of its name', async () => {
    const api = await startTestService();
    const { store } = api.service;
    const { id } = await make(api, off);
    await store.write((writer) => updateToolPermission(writer, allowance('lamp__echo', id)));
    await remove(api, id);
    expect((await make(api, off)).slug).toBe('lamp');
    expect(store.read(listToolPermissions)).toEqual([]);
  });
});

describe('a request about tool servers', () => {
  it.each<[string, object, string]>([
    ['no name', { transport: 'http', url: NOBODY }, '/name'],
    ['no kind', { name: 'L' }, '/transport'],
    ['a kind that does not exist', { name: 'L', transport: 'pigeon' }, '/transport'],
    ['no program', { name: 'L', transport: 'stdio' }, '/command'],
    ['an address for a program', { name: 'L', transport: 'stdio', command: 'lamp', url: NOBODY }, '/url'],
    ['no address', { name: 'L', transport: 'http' }, '/url'],
    ['a program for an address', { ...off, command: 'lamp' }, '/command'],
    ['an address of another kind', { ...off, url: 'file:///etc/passwd' }, '/url'],
    ['an address with a password', { ...off, url: 'http://me:secret@127.0.0.1/mcp' }, '/url'],
    ['a name that is no header', { ...off, headers: { 'a b': 'c' } }, '/headers'],
    ['a header of Parley’s own', { ...off, headers: { 'Mcp-Session-Id': 'x' } }, '/headers'],
    ['a header in two lines', { ...off, headers: { 'x-key': 'a\r\nb' } }, '/headers'],
    ['a header twice', { ...off, headers: { 'x-key': 'a', 'X-Key': 'b' } }, '/headers'],
    ['an odd variable', { name: 'L', transport: 'stdio', command: 'lamp', env: { 'A=B': 'c' } }, '/env'],
    ['a NUL', { name: 'L', transport: 'stdio', command: 'lamp', args: ['a\0b'] }, '/args'],
    ['an odd agent', { ...off, agents: ['a b'] }, '/agents/0'],
  ])('with %s is refused', async (_what, body, path) => {
    const api = await startTestService();
    const answer = await api.post(PATH, body);
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
    expect(answer.error().details?.map((detail) => detail.path)).toContain(path);
    expect((await api.get(PATH)).json()).toEqual({ servers: [] });
  });

  it('for one that is not there is answered with 404', async () => {
    const api = await startTestService();
    for (const answer of [
      await change(api, 'nobody', {}),
      await remove(api, 'nobody'),
      await api.post(`${PATH}/nobody/test`),
    ]) {
      expect([answer.status, answer.error().code]).toEqual([404, 'mcp_server_not_found']);
    }
  });

  it('for one more than there can be is refused', async () => {
    const api = await startTestService();
    for (let count = 0; count < MAX_MCP_SERVERS; count += 1) await make(api, off);
    const answer = await api.post(PATH, off);
    expect([answer.status, answer.error().code]).toEqual([409, 'conflict']);
  });

  it('needs the scope admin', async () => {
    const api = await startTestService();
    const { apiKey } = (await api.post('/api/v1/keys', { name: 'chat', scope: 'chat' })).json<{
      apiKey: string;
    }>();
    const client = createTestClient(api.service.port, apiKey);
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['POST', `${PATH}/test`],
      ['POST', `${PATH}/x/test`],
      ['PATCH', `${PATH}/x`],
      ['DELETE', `${PATH}/x`],
    ] as const) {
      const answer = await client.request({ method, path });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  });
});

describe('a test', () => {
  it('of a server keeps the tools that it finds; one of a change keeps nothing', async () => {
    const api = await startTestService();
    const header = { name: 'x-key', value: KEY };
    const lamp = await startHttpMcpServer({ header });
    onTestFinished(() => lamp.close());
    const body = { ...off, url: lamp.url, headers: { 'x-key': OTHER_KEY } };
    const { id } = await make(api, body);
    const test = async (json?: object): Promise<McpTest> => {
      const answer = await api.post(`${PATH}/${id}/test`, json);
      expect(answer.status, answer.text).toBe(200);
      return answer.json<McpTest>();
    };
    const tools = async (): Promise<number> =>
      (await api.get(PATH)).json<{ servers: McpServer[] }>().servers[0]?.tools.length ?? 0;
    expect((await test()).finding).toBe('key_refused');
    expect((await test({ headers: { 'x-key': KEY } })).finding).toBe('ok');
    expect(await tools()).toBe(0);
    serverOf(await change(api, id, { headers: { 'x-key': KEY } }), 200);
    const found = await test();
    expect(found.finding).toBe('ok');
    expect(await tools()).toBe(found.tools.length);
  });

  it('that succeeds ends what was said of an earlier failure', async () => {
    const api = await startTestService();
    let isDown = true;
    const lamp = await startHttpMcpServer({
      guard: () => Promise.resolve(isDown ? new Response('Starting …', { status: 503 }) : null),
    });
    onTestFinished(() => lamp.close());
    const { id, state } = await make(api, { name: 'Lamp', transport: 'http', url: lamp.url });
    expect(state).toBe('failed');
    const servers = async () => (await api.get(PATH)).json<{ servers: McpServer[] }>().servers;
    await api.post(`${PATH}/${id}/test`);
    expect(await servers()).toMatchObject([{ state: 'failed' }]);
    isDown = false;
    await api.post(`${PATH}/${id}/test`);
    expect(await servers()).toMatchObject([{ state: 'idle', problem: null }]);
  });

  it('of a change never takes what is kept to another server', async () => {
    const api = await startTestService();
    const other = await startHttpMcpServer();
    onTestFinished(() => other.close());
    const { id } = await make(api, { ...off, headers: { 'x-key': KEY } });
    const answer = await api.post(`${PATH}/${id}/test`, { url: other.url });
    expect([answer.status, answer.error().details?.[0]?.path]).toEqual([400, '/headers']);
    expect(other.requests).toEqual([]);
  });
});

/** Files under a folder that hold one of the values, packed ones too. */
async function filesWithValues(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (path) => {
      const bytes = await readFile(path);
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      const text = (isPacked ? gunzipSync(bytes) : bytes).toString('latin1');
      return text.includes(KEY) || text.includes(OTHER_KEY) ? [path] : [];
    }),
  );
  return found.flat();
}

it('values stand in no answer, log, export, backup or file of the store, and go with their server', async () => {
  const api = await startTestService();
  const { dataDir } = api.service;
  const lamp = await startHttpMcpServer({ header: { name: 'x-key', value: 'something else' } });
  onTestFinished(() => lamp.close());
  const chatty = { transport: 'stdio', command: STDIO_MCP_SERVER.command };
  const speaks = ['-e', 'console.error(process.env.LAMP_KEY); process.exit(4)'];
  const program = await make(api, { ...chatty, name: 'Program', args: speaks, env: { LAMP_KEY: KEY } });
  const address = await make(api, {
    name: 'Address',
    transport: 'http',
    url: lamp.url,
    headers: { 'x-key': `Bearer ${KEY}` },
  });
  expect(program.problem).toBe('The program ended at once (exit code 4). Its last lines were:\n…');
  const answers = [
    await api.get(PATH),
    await api.post(`${PATH}/${program.id}/test`),
    await api.post(`${PATH}/${address.id}/test`),
    await api.post(`${PATH}/test`, { ...chatty, args: speaks, env: { LAMP_KEY: KEY } }),
    await api.post(`${PATH}/test`, { transport: 'http', url: lamp.url, headers: { 'x-key': KEY } }),
    await api.post(PATH, { name: 'X', transport: 'pigeon', env: { LAMP_KEY: KEY } }),
    await api.post(PATH, { ...off, headers: { 'x-key': `${KEY}\nand a line` } }),
    await change(api, program.id, { env: { LAMP_KEY: OTHER_KEY } }),
    await change(api, address.id, { url: NOBODY }),
    await api.get('/api/v1/export?format=json'),
    await api.get('/api/v1/requests'),
    await api.post('/api/v1/backups'),
  ];
  for (const { text } of answers) {
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(OTHER_KEY);
  }
  expect(api.log.join('\n')).not.toContain(KEY);
  expect(api.log).toContain('tool server program: …');
  expect(await filesWithValues(dataDir)).toEqual([join(dataDir, 'secrets.json')]);
  for (const { id } of [program, address]) await remove(api, id);
  expect(await filesWithValues(dataDir)).toEqual([]);
});
