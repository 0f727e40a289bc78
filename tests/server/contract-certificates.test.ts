/** Servers with private certificates, and proxies, as people and programs meet them: through the API. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionTest } from '../../shared/api/connection.ts';
import type { McpTest } from '../../shared/api/mcp.ts';
import type { CreatedKey } from '../../shared/api/key.ts';
import type { Message } from '../../shared/api/message.ts';
import type { RecentRequest } from '../../shared/api/request-log.ts';
import { createWebTools } from '../../server/tools/web/web-tools.ts';
import { callToolsOf } from '../support/call-tools.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { certificateFile, forwardTo, startProxy, startSecureServer } from '../support/secure-server.ts';
import { createTempDir, createTestClient, startTestService, type TestService } from '../support/service.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A model server that speaks https, on this port. */
async function startSecureModel(certificate: 'server' | 'self-signed' = 'self-signed'): Promise<{
  model: ModelServer;
  port: number;
}> {
  const model = await startModelServer('openai');
  const port = await startSecureServer(certificate, forwardTo(new URL(model.baseUrl).origin));
  return { model, port };
}

const trust = async (service: TestService, file: string | null): Promise<void> => {
  const answer = await service.request({
    method: 'PATCH',
    path: '/api/v1/settings',
    json: { certificateFile: file },
  });
  expect(answer.text).toContain('"certificateFile":');
  expect(answer.status).toBe(200);
};

const testModel = async (service: TestService, baseUrl: string): Promise<ConnectionTest> =>
  (await service.post('/api/v1/connections/test', { provider: 'openai_compatible', baseUrl })).json();

async function ask(service: TestService): Promise<Message | undefined> {
  const chat = (await service.post('/api/v1/chats', {})).json<{ id: string }>();
  await service.post(`/api/v1/chats/${chat.id}/messages?wait=30`, {
    content: 'Hello',
    model: 'box/fake-model',
  });
  const { messages } = (await service.get(`/api/v1/chats/${chat.id}/messages`)).json<{
    messages: Message[];
  }>();
  return messages.at(-1);
}

const HOW = /wasn’t trusted, so nothing was sent to it.*settings under Models/;

describe('a model server with a private certificate', () => {
  it('is refused with what to do about it, and answers once its file is named', async () => {
    const service = await startTestService();
    const { model, port } = await startSecureModel();
    const baseUrl = `https://127.0.0.1:${port}/v1`;
    expect(await testModel(service, baseUrl)).toMatchObject({
      finding: 'unreachable',
      message: expect.stringMatching(HOW) as string,
    });
    await service.post('/api/v1/connections', { provider: 'openai_compatible', name: 'Box', baseUrl });
    const refused = await ask(service);
    expect(refused?.error).toMatchObject({
      code: 'model_unreachable',
      message: expect.stringMatching(/wasn’t trusted.*settings under Models/) as string,
    });
    await trust(service, certificateFile('self-signed'));
    expect(await testModel(service, baseUrl)).toMatchObject({ finding: 'ok' });
    expect(await ask(service)).toMatchObject({ status: 'complete' });
    // And no longer when the file isn't named any more.
    await trust(service, null);
    expect((await ask(service))?.error).toMatchObject({ code: 'model_unreachable' });
    await model.close();
  });
});

describe('the file with certificates', () => {
  it('has to be one', async () => {
    const service = await startTestService();
    const dir = await createTempDir();
    const empty = join(dir, 'empty.pem');
    await writeFile(empty, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    await mkdir(join(dir, 'folder'));
    for (const file of ['authority.pem', join(dir, 'none.pem'), empty, join(dir, 'folder'), '']) {
      const json = { certificateFile: file, theme: 'dark' };
      const answer = await service.request({ method: 'PATCH', path: '/api/v1/settings', json });
      expect([file, answer.status]).toEqual([file, 400]);
      expect(answer.json<{ error: { message: string } }>().error.message).toMatch(
        /^"certificateFile" must be /,
      );
    }
    expect((await service.get('/api/v1/settings')).json()).toMatchObject({
      settings: { certificateFile: null, theme: 'system' },
    });
  });
});

it('a tool server with a private certificate says what to do, and can be used once its file is named', async () => {
  const service = await startTestService();
  const port = await startSecureServer('self-signed', (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(pieces).toString() || '{}') as {
        id?: number;
        method?: string;
      };
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const result =
        method === 'initialize'
          ? {
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 'lamp', version: '1' },
            }
          : { tools: [] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  const test = async (): Promise<McpTest> =>
    (
      await service.post('/api/v1/mcp-servers/test', {
        name: 'Lamp',
        transport: 'http',
        url: `https://127.0.0.1:${port}/mcp`,
      })
    ).json();
  expect(await test()).toMatchObject({ message: expect.stringMatching(HOW) as string });
  await trust(service, certificateFile('self-signed'));
  expect(await test()).toMatchObject({ finding: 'ok' });
});

it('a webhook to a server with a private certificate says why it was not sent, and is once its file is named', async () => {
  const service = await startTestService();
  const port = await startSecureServer('self-signed', (_request, response) => response.end());
  const url = `https://127.0.0.1:${port}/hook`;
  const body = { name: 'hook', workspaceId: service.service.workspaceId, webhook: { url } };
  const { apiKey } = (await service.post('/api/v1/keys', body)).json<CreatedKey>();
  const client = createTestClient(service.service.port, apiKey);
  const send = async (): Promise<void> => {
    const { id } = (await client.post('/api/v1/chats', {})).json<{ id: string }>();
    await client.post(`/api/v1/chats/${id}/messages`, { content: '1 + 1' });
  };
  const delivered = async (status: number): Promise<RecentRequest> =>
    vi.waitUntil(
      async () => {
        const { requests } = (await service.get('/api/v1/requests')).json<{ requests: RecentRequest[] }>();
        return requests.find((one) => one.caller === 'webhook of hook' && one.status === status);
      },
      { timeout: 15_000 },
    );
  await send();
  expect(await delivered(0)).toMatchObject({ problem: expect.stringMatching(HOW) as string });
  await trust(service, certificateFile('self-signed'));
  await send();
  expect(await delivered(200)).not.toHaveProperty('problem');
});

describe('a page', () => {
  const tools = (route: { proxy: string | null; certificateFile: string | null }) =>
    callToolsOf(
      createWebTools({
        isOn: () => true,
        options: {
          findRoute: async () => route,
          resolve: async (host) =>
            host === 'server.test'
              ? [{ address: '127.0.0.7', family: 4 }]
              : [{ address: '10.0.0.1', family: 4 }],
          isAllowed: (address) => address === '127.0.0.7',
        },
      }),
    );

  it('from a server with a private certificate says what to do', async () => {
    const port = await startSecureServer('self-signed', (_request, response) => response.end('page'));
    const direct = { proxy: null, certificateFile: null };
    const proxy = await startProxy();
    const url = `https://server.test:${port}/`;
    expect(await tools({ ...direct, proxy: proxy.url }).refusal('fetch_page', { url })).toMatch(HOW);
  });

  it('is fetched through a proxy from the address that was checked, and from no other', async () => {
    const proxy = await startProxy();
    const port = await startSecureServer('server', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('bread');
    });
    const page = tools({ proxy: proxy.url, certificateFile: certificateFile('authority') });
    expect(await page.run('fetch_page', { url: `https://server.test:${port}/` })).toMatchObject({
      text: 'bread',
    });
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.7:${port}`]);
    expect(await page.refusal('fetch_page', { url: 'https://intranet.test/' })).toContain('private network');
    expect(await page.refusal('fetch_page', { url: 'http://server.test/' })).toContain(
      'only pages at “https://…”',
    );
    expect(proxy.asked).toHaveLength(1);
  });
});

it('the environment’s proxy is used for model servers elsewhere, and not for this computer', async () => {
  const proxy = await startProxy();
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  vi.stubEnv('HTTP_PROXY', proxy.url);
  const service = await startTestService();
  const { model, port } = await startSecureModel('server');
  await trust(service, certificateFile('authority'));
  const baseUrl = `https://server.test:${port}/v1`;
  expect(await testModel(service, baseUrl)).toMatchObject({ finding: 'ok' });
  await service.post('/api/v1/connections', { provider: 'openai_compatible', name: 'Box', baseUrl });
  expect(await ask(service)).toMatchObject({ status: 'complete' });
  const asked = new Set(proxy.asked);
  expect([...asked]).toEqual([`CONNECT server.test:${port}`]);
  expect(await testModel(service, model.baseUrl)).toMatchObject({ finding: 'ok' });
  expect(new Set(proxy.asked)).toEqual(asked);
  await model.close();
});
