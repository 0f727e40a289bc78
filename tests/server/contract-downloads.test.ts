import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyReply } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { watchConnections } from '../../server/plugins/connections.ts';
import { sendText } from '../../server/routes/transfer.ts';
import { collect } from '../support/collect.ts';
import { exportedChat, exportFileOf, said } from '../support/exported.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PATH = '/api/v1/export?format=json';

/** An answer of which nothing is read. */
const open = (client: TestService, method = 'GET'): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${client.service.apiKey}` };
    get(`http://127.0.0.1:${client.service.port}${PATH}`, { method, headers, agent: false }, resolve).on(
      'error',
      reject,
    );
  });

async function serviceWithText(): Promise<TestService> {
  const client = await startTestService();
  const chats = Array.from({ length: 40 }, () => exportedChat([said('x'.repeat(400_000))]));
  expect((await client.post('/api/v1/import', exportFileOf(...chats))).status).toBe(200);
  return client;
}

it('sends a few exports at a time, and others when one of them is done or given up', async () => {
  const client = await serviceWithText();
  const answers = [];
  for (let count = 0; count < 4; count += 1) answers.push(await open(client));
  const refused = await client.get(PATH);
  expect([refused.status, refused.error().code]).toEqual([429, 'too_many_requests']);
  expect(refused.headers['retry-after']).toBe('5');
  answers.pop()?.destroy();
  await expect.poll(async () => (await client.get(PATH)).status).toBe(200);
  for (const answer of answers) answer.destroy();
});

it('answers HEAD of an export at once, without making it', async () => {
  const client = await serviceWithText();
  for (let count = 0; count < 6; count += 1) {
    const answer = await open(client, 'HEAD');
    expect(answer.statusCode).toBe(200);
    await expect(collect(answer)).resolves.toEqual([]);
  }
});

it('lets go of a client that takes nothing, and makes no more than it takes', async () => {
  let made = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      made += 1;
      yield 'x'.repeat(64 * 1024);
      await new Promise(setImmediate);
    }
  }
  const server = createServer((request, raw) => {
    const send = (stream: NodeJS.ReadableStream): void => void stream.pipe(raw);
    sendText({ raw, request: { method: request.method }, send } as unknown as FastifyReply, endless());
  });
  watchConnections(server, () => undefined, 10, 200);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve));
  const ended = new Promise((resolve) => answer.on('error', resolve).on('close', resolve));
  answer.pause();
  await expect.poll(() => server.listening && made).toBeGreaterThan(0);
  await expect
    .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))), {
      timeout: 10_000,
    })
    .toBe(0);
  const then = made;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(made).toBe(then);
  answer.resume();
  await ended;
});
