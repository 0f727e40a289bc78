import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { WebOptions } from '../../server/tools/web/fetch-guarded.ts';

/** A local web server, for one test. */
export interface WebServer {
  /** Its address by a name that {@link resolveLocally} knows, without a slash at its end. */
  origin: string;
  port: number;
  /** The requests it got, oldest first. */
  seen: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Connections that were made to it. */
  connections: number;
}

/** Starts a web server with the given answers. */
export async function startWebServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<WebServer> {
  const server = createServer((request, response) => {
    web.seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    answer(request, response);
  });
  server.on('connection', () => (web.connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const web: WebServer = { origin: `http://site.test:${port}`, port, seen: [], connections: 0 };
  return web;
}

/** Makes every name resolve to this computer. */
export const resolveLocally = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

/** Lets the service fetch from this computer. */
export const LOCAL: WebOptions = { resolve: resolveLocally, isAllowed: (address) => address === '127.0.0.1' };
