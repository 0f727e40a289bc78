/**
 * Stopping a service with a large store while something takes long: within 5 seconds, and the reply in progress goes on at the
 * next start, as often as this happens. Three attempts that were not released would fail it (`interrupted`).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../server/start.ts';
import type { McpServer } from '../../shared/api/mcp.ts';
import type { Message } from '../../shared/api/message.ts';
import { sized } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { STDIO_MCP_SERVER } from '../support/mcp-server/index.ts';
import { HAS_SIGNALS } from '../support/platform.ts';
import { rehearse, replyOf } from '../support/rehearse.ts';
import { createTestClient, type TestClient } from '../support/service.ts';
import { runService, type ServiceProcess } from '../support/service-process.ts';

const STOP_MS = 5_000;

/** A data folder with a chat of many messages, and one with a reply in progress. */
interface Folder {
  dataDir: string;
  many: string;
  replying: string;
}

let large: Folder;
/** For what takes long however little there is. */
let small: Folder;

async function createFolder(messages: number): Promise<Folder> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-stop-'));
  const service = await startService({ dataDir, port: 0, log: () => undefined });
  const client = createTestClient(service.port, service.apiKey);
  const { id: many } = await client.createChat();
  await client.send(many, 'hello');
  await client.settled(many);
  await service.store.write((writer) =>
    writer.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
        INSERT INTO messages (id, chat_id, workspace_id, role, content, status, created_at)
        SELECT 'many ' || n, chat_id, workspace_id, role, printf('%s %d ', content, n) || replace(hex(zeroblob(80)), '00', 'word '),
          status, created_at FROM numbers, (SELECT * FROM messages WHERE chat_id = ? AND role = 'user')`,
      [messages, many],
    ),
  );
  const replying = await rehearse(client, 'It goes on', '::stall');
  await eventually(async () => expect((await replyOf(client, replying))?.content).toBe('It goes on'));
  await service.close();
  return { dataDir, many, replying };
}

beforeAll(async () => {
  large = await createFolder(sized(50_000, 250_000));
  small = await createFolder(20_000);
}, 120_000);
afterAll(async () => {
  for (const { dataDir } of [large, small])
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** Begins a request and leaves it; resolves when it has been sent. */
const begin = async ({ baseUrl, apiKey }: ServiceProcess, path: string): Promise<void> => {
  const outgoing = request(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
  outgoing.on('error', () => undefined).on('response', (response) => response.pause());
  outgoing.end();
  await sleep(300);
};

/** A new chat with a message, which is at rest. */
async function createSmallChat(api: TestClient): Promise<string> {
  const { id } = await api.createChat();
  await api.send(id, 'What is 2 + 2?');
  await api.settled(id);
  return id;
}

async function listToolServers(api: TestClient): Promise<McpServer[]> {
  return (await api.get('/api/v1/mcp-servers')).json<{ servers: McpServer[] }>().servers;
}

const MANY_CHATS = {
  chats: Array.from({ length: 20_000 }, (_, index) => ({
    title: `Imported ${index}`,
    messages: [{ role: 'user', content: `hello ${index}` }],
  })),
};

type Activities = Record<string, (service: ServiceProcess) => Promise<void>>;

const IN_LARGE: Activities = {
  'something is deleted for good': async ({ api }) => {
    const id = await createSmallChat(api);
    void api.request({ method: 'DELETE', path: `/api/v1/chats/${id}?permanent=true` }).catch(() => undefined);
    await sleep(1_000);
  },
  'something is deleted for good, and the compaction has just begun': async ({ api }) => {
    const id = await createSmallChat(api);
    void api.request({ method: 'DELETE', path: `/api/v1/chats/${id}?permanent=true` }).catch(() => undefined);
    await sleep(100);
  },
  'a backup is made': async ({ api }) => {
    void api.post('/api/v1/backups').catch(() => undefined);
    await sleep(1_000);
  },
  'it is still starting to work': () => Promise.resolve(),
};

const IN_SMALL: Activities = {
  'clients read no downloads, follow events, wait for the reply, and have sent a request only in part':
    async (service) => {
      for (const path of [
        `/api/v1/chats/${small.many}/export`,
        `/api/v1/chats/${small.many}/messages`,
        '/api/v1/events',
        `/api/v1/chats/${small.replying}/events`,
        `/api/v1/chats/${small.replying}?wait=60`,
      ])
        await begin(service, path);
      const { baseUrl, apiKey } = service;
      const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => undefined);
      socket.write(
        `POST /api/v1/chats HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      await sleep(300);
    },
  'chats are imported': async ({ api }) => {
    void api.post('/api/v1/import', MANY_CHATS).catch(() => undefined);
    await sleep(1_000);
  },
  'a tool server neither answers nor ends': async ({ api }) => {
    void api
      .post('/api/v1/mcp-servers', {
        name: 'Stubborn',
        transport: 'stdio',
        ...STDIO_MCP_SERVER,
        env: { MCP_TEST_STAYS: '1', MCP_TEST_START_DELAY_MS: '60000' },
      })
      .catch(() => undefined);
    await sleep(1_000);
  },
  'a turn waits for the tools of a server that hangs': async ({ api }) => {
    // The one of the case before: the turn that goes on lists its tools.
    expect(await listToolServers(api)).toMatchObject([{ name: 'Stubborn', state: 'opening' }]);
  },
};

async function stop(dataDir: string, activity?: Activities[string]): Promise<void> {
  const service = await runService(dataDir);
  await activity?.(service);
  const begun = performance.now();
  const code = await service.end('SIGTERM');
  expect(performance.now() - begun).toBeLessThan(STOP_MS);
  // Null: a signal ended it at the end, since a thread was in native code.
  expect([0, null]).toContain(code);
  expect(service.stderr()).not.toContain('takes too long');
}

describe.runIf(HAS_SIGNALS)('a stop with a reply in progress', () => {
  it.each(Object.keys(IN_LARGE))(
    'takes at most 5 seconds, and the reply goes on after it, in a large store while %s',
    (what) => stop(large.dataDir, IN_LARGE[what]),
    60_000,
  );

  it.each(Object.keys(IN_SMALL))(
    'takes at most 5 seconds, and the reply goes on after it, while %s',
    (what) => stop(small.dataDir, IN_SMALL[what]),
    60_000,
  );

  it('has not cost the replies an attempt', async () => {
    for (const { dataDir, replying } of [large, small]) {
      const service = await runService(dataDir);
      for (const { id } of await listToolServers(service.api))
        await service.api.request({ method: 'DELETE', path: `/api/v1/mcp-servers/${id}` });
      const reply = (): Promise<Message | undefined> => replyOf(service.api, replying);
      await expect.poll(async () => (await reply())?.content, { timeout: 30_000 }).toBe('It goes on');
      expect(await reply()).toMatchObject({ status: 'streaming' });
      await service.end('SIGTERM');
    }
  }, 90_000);
});
