import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { watchConnections } from '../../../server/plugins/connections.ts';
import { answerMalformed, createGuardedServer } from '../../../server/plugins/http-server.ts';
import { createRequestLog } from '../../../server/plugins/request-log.ts';
import { eventually } from '../../support/eventually.ts';

const MOST = 4;
let server: Server;
let port: number;
/** Requests that wait for their answer. */
let held: ServerResponse[];

async function listen(made: Server): Promise<void> {
  server = made.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
}

async function open(): Promise<{ socket: Socket; read: () => string; isClosed: () => boolean }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  let isClosed = false;
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.on('error', () => undefined);
  // Whether it was ended or cut off.
  for (const event of ['end', 'close']) socket.on(event, () => (isClosed = true));
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return { socket, read: () => text, isClosed: () => isClosed };
}

const countOpen = (): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));

async function get(path: string): Promise<string> {
  const [response] = (await once(
    request({ port, host: '127.0.0.1', path, agent: false }).end(),
    'response',
  )) as [AsyncIterable<Buffer>];
  const pieces = [];
  for await (const piece of response) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('when there are as many connections as there can be', () => {
  beforeEach(async () => {
    held = [];
    const made = createServer((message, response) => {
      connections.begin(message.socket);
      response.on('close', () => connections.end(message.socket));
      if (message.url === '/held') held.push(response);
      else response.end('answered');
    });
    const connections = watchConnections(made, (socket, error) => socket.end(error.message), MOST);
    await listen(made);
  });

  it('one that is only held open gives way to a new one, the oldest first', async () => {
    const silent: Awaited<ReturnType<typeof open>>[] = [];
    for (let at = 0; at < MOST; at += 1) silent.push(await open());
    expect(await get('/')).toBe('answered');
    await eventually(() =>
      expect(silent.map(({ isClosed }) => isClosed())).toEqual([true, false, false, false]),
    );
    // It has gone by itself, so that there is room for one more.
    await eventually(async () => expect(await countOpen()).toBe(MOST - 1));
    for (let at = 0; at < 20; at += 1) expect(await get('/')).toBe('answered');
    await eventually(async () => expect(await countOpen()).toBeLessThanOrEqual(MOST));
  });

  it('a new one is told so while all others are at work, and none of those is harmed', async () => {
    const answers = Array.from({ length: MOST }, () => get('/held'));
    await eventually(() => expect(held).toHaveLength(MOST));
    const refused = await open();
    await eventually(() => expect(refused.isClosed()).toBe(true));
    expect(refused.read()).toContain('as many as there can be');
    for (const response of held) response.end('answered');
    expect(await Promise.all(answers)).toEqual(Array.from({ length: MOST }, () => 'answered'));
    expect(await get('/')).toBe('answered');
  });
});

describe('the server', () => {
  const requests = createRequestLog();
  const newRequestId = (): string => 'req-1';

  beforeEach(async () => {
    const guard = { admit: () => true, close: () => undefined };
    const made = createGuardedServer(
      guard,
      (_request, response) => response.end('answered'),
      newRequestId,
      requests,
    );
    made.on('clientError', (error: Error, socket) => answerMalformed(error, socket, newRequestId, requests));
    await listen(made);
  });

  it('waits half a minute at most for a connection to say something', () => {
    expect(server.headersTimeout).toBeLessThanOrEqual(30_000);
  });

  it('lets go of who was told that it made no sense, and never hangs up', async () => {
    const { socket, read } = await open();
    socket.write('nonsense\r\n\r\n');
    await eventually(() => expect(read()).toContain('not a valid HTTP/1.1 request'));
    await eventually(async () => expect(await countOpen()).toBe(0));
  });

  it('has nothing to say, and nothing to note, about a connection that never said a word', async () => {
    const before = requests.list({ externalOnly: false }).length;
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const { read, isClosed } = await open();
    const [socket] = await accepted;
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    await eventually(() => expect(isClosed()).toBe(true));
    expect([read(), requests.list({ externalOnly: false }).length]).toEqual(['', before]);
  });
});
