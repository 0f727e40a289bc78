/** Servers that speak TLS, and a forward proxy, for tests. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  request,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Path of a file with a certificate; `server` is signed by `authority`. */
export const certificateFile = (name: 'authority' | 'server' | 'self-signed'): string =>
  fileURLToPath(new URL(`./tls/${name}.pem`, import.meta.url));

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a server over TLS; resolves with its port. */
export async function startSecureServer(
  certificate: 'server' | 'self-signed',
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  const files = [certificateFile(certificate), fileURLToPath(new URL('./tls/key.pem', import.meta.url))];
  const [cert, key] = files.map((file) => readFileSync(file));
  return listen(createServer({ cert, key }, answer));
}

/** Puts TLS in front of a server without it. */
export const forwardTo =
  (origin: string) =>
  (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, headers, url } = incoming;
    const outgoing = request(`${origin}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  };

/** A forward proxy. */
export interface TestProxy {
  url: string;
  /** What it was asked for: `CONNECT host:port` or `GET http://…`. */
  asked: string[];
}

/** Starts a proxy that finds every name on this computer. `status`: what it answers to CONNECT. */
export async function startProxy(status = 200): Promise<TestProxy> {
  const asked: string[] = [];
  const server = createHttpServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { pathname, port } = new URL(incoming.url ?? '');
    incoming.url = pathname;
    forwardTo(`http://127.0.0.1:${port}`)(incoming, response);
  });
  server.on('connect', ({ url }: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${url}`);
    socket.on('error', () => undefined);
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const target = connect(Number(url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}
