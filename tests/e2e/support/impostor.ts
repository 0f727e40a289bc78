import { createServer } from 'node:http';

/** A request that another program on the service's port received. */
export interface Seen {
  method: string;
  path: string;
  /** All headers and the body, to be searched for secrets. */
  text: string;
  authorization: string | undefined;
}

/** Another program that takes a port, says yes to everything and records what it is sent. */
export interface Impostor {
  seen: Seen[];
  close(): Promise<void>;
}

/** Takes the port of an address, which must be free. */
export async function takePort(baseUrl: string): Promise<Impostor> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({
        method,
        path: url,
        text: `${JSON.stringify(headers)} ${body}`,
        authorization: headers.authorization,
      });
      response.setHeader('content-type', 'application/json');
      const proof = { status: 'ok', version: '0.1.0', signature: 'A'.repeat(86), challenge: 'A'.repeat(75) };
      response.end(JSON.stringify(proof));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(Number(new URL(baseUrl).port), '127.0.0.1', resolve);
  });
  return {
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
