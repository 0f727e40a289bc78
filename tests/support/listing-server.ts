/** A small model server over real HTTP with the answers of a test, for requests of the service's own thread. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request. */
export interface ListingRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** The body, parsed; null when there is none. */
  json: unknown;
}

/** The answer; `hang`: none ever, `cut`: the connection is broken off. */
export type ListingReply =
  | { status?: number; headers?: Record<string, string>; json: unknown }
  | { status?: number; headers?: Record<string, string>; text: string }
  | 'hang'
  | 'cut';

/** A running server. */
export interface ListingServer {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  port: number;
  /** All requests, oldest first. */
  requests: ListingRequest[];
  /** Sets its answers from now on. */
  answer: (request: ListingRequest) => ListingReply;
  close(): Promise<void>;
}

/** Starts a server that is closed after the test; call it inside the test. */
export async function startListingServer(answer: ListingServer['answer']): Promise<ListingServer> {
  const requests: ListingRequest[] = [];
  const http = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8');
      const { method = '', url = '', headers } = incoming;
      const request = {
        method,
        path: url,
        headers,
        json: text === '' ? null : (JSON.parse(text) as unknown),
      };
      requests.push(request);
      const reply = server.answer(request);
      if (reply === 'cut') outgoing.destroy();
      if (typeof reply === 'string') return;
      const isJson = 'json' in reply;
      outgoing.writeHead(reply.status ?? 200, {
        'content-type': isJson ? 'application/json' : 'text/html',
        ...reply.headers,
      });
      outgoing.end(isJson ? JSON.stringify(reply.json) : reply.text);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const server: ListingServer = {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    answer,
    async close() {
      if (!http.listening) return;
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
  onTestFinished(() => server.close());
  return server;
}

/** An answer that lists models as OpenAI does. */
export const openAiList = (...ids: string[]): ListingReply => ({
  json: { object: 'list', data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'me' })) },
});

/** An answer for each path, with its query or without; 404 for any other. */
export const byPath =
  (replies: Record<string, ListingReply>): ListingServer['answer'] =>
  ({ path }) =>
    replies[path] ??
    replies[path.replace(/\?.*/, '')] ?? { status: 404, json: { error: { message: 'Not found' } } };
