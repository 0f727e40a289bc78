/** Answers that are no page and no error either, and pages that become far more than they are. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readHtml } from '../../../../server/tools/web/read-html.ts';
import { createWebTools } from '../../../../server/tools/web/web-tools.ts';
import { callToolsOf } from '../../../support/call-tools.ts';
import { resolveLocally } from '../../../support/web-server.ts';

const tools = callToolsOf(
  createWebTools({
    isOn: () => true,
    options: { resolve: resolveLocally, isAllowed: (address) => address === '127.0.0.1' },
  }),
);

/** The address of a server that answers whatever it is told to every request. */
async function startOddServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  return `http://site.test:${(server.address() as AddressInfo).port}/`;
}

const NO_WEB_SERVER = 'didn’t speak http';

it('a page that changes over to another protocol is refused, and its connection ended', async () => {
  const ended = Promise.withResolvers<undefined>();
  const url = await startOddServer((socket) => {
    socket.on('close', () => ended.resolve(undefined));
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  expect(await tools.refusal('fetch_page', { url })).toContain(NO_WEB_SERVER);
  await ended.promise;
});

it('a page that is announced without end is refused', async () => {
  const url = await startOddServer((socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
  expect(await tools.refusal('fetch_page', { url })).toContain(NO_WEB_SERVER);
});

it('a page may be announced', async () => {
  const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nbread';
  const url = await startOddServer((socket) => socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${page}`));
  expect(await tools.run('fetch_page', { url })).toMatchObject({ text: 'bread' });
});

it('the text of a page is cut where it is read, whatever its links would come to', () => {
  const html = '<a href=x>y</a>\n'.repeat(2_000);
  const address = `https://site.test/${'a'.repeat(1_900)}/`;
  const { text } = readHtml(html, address, 60_001);
  expect(text).toHaveLength(60_001);
  expect(text).toBe(readHtml(html, address).text.slice(0, 60_001));
});
