import { createServer, type Server } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Server as SocketServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { httpFetch, type HttpRequest } from '../../../server/net/http-fetch.ts';

const get = { method: 'GET', headers: new Headers(), body: null, signal: null };
const fetchOnce = (url: string, request: Partial<HttpRequest>): Promise<Response> =>
  httpFetch(new URL(url), { ...get, ...request });

async function addressOf(server: Server | SocketServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that answers every connection in these words. */
const speaker = (words: string): SocketServer =>
  createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(words));
  });

test('a request and its answer go over whole, without any WebAssembly', async () => {
  vi.stubGlobal('WebAssembly', {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const base = await addressOf(
    createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        response.writeHead(201, {
          'x-got': String(request.headers['content-length']),
          'content-type': 'text/plain',
        });
        response.write(`${request.method} ${request.url} `);
        response.end(Buffer.concat(parts));
      });
    }),
  );
  const answer = await fetchOnce(`${base}/v1/chat?x=1`, { method: 'POST', body: 'grüße' });
  expect([answer.status, answer.headers.get('x-got')]).toEqual([201, '7']);
  expect(await answer.text()).toBe('POST /v1/chat?x=1 grüße');
});

test('a kept connection that the server has closed is replaced by another', async () => {
  let requests = 0;
  const server = createSocketServer((socket) => {
    let answered = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      // Each connection answers once, and is broken when it is used again.
      if (answered > 0) return socket.destroy();
      answered += 1;
      requests += 1;
      return socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok');
    });
  });
  const base = await addressOf(server);
  for (let asked = 0; asked < 3; asked += 1) {
    expect(await (await fetchOnce(base, { method: 'POST', body: '{}' })).text()).toBe('ok');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(requests).toBe(3);
});

test.each([
  ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'EPROTO'],
  ['HTTP/1.1 700 What\r\ncontent-length: 0\r\n\r\n', 'EPROTO'],
  ['SSH-2.0-OpenSSH\r\n', 'HPE_INVALID_CONSTANT'],
  ['', 'ECONNRESET'],
])('what answers with %j is told by a code', async (words, code) => {
  const base = await addressOf(speaker(words));
  await expect(fetchOnce(base, { method: 'POST', body: '{}' })).rejects.toMatchObject({ code });
});

test('a signal ends it with its reason, before and while it is read', async () => {
  const base = await addressOf(
    createServer((request, response) => {
      if (request.url === '/begun') response.write('begun');
    }),
  );
  const reason = new Error('Enough.');
  await expect(fetchOnce(base, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const silent = new AbortController();
  setTimeout(() => silent.abort(reason), 20);
  await expect(fetchOnce(base, { signal: silent.signal })).rejects.toBe(reason);
  const reading = new AbortController();
  const answer = await fetchOnce(`${base}/begun`, { signal: reading.signal });
  setTimeout(() => reading.abort(reason), 20);
  await expect(answer.text()).rejects.toThrow();
});
