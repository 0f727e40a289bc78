/** A tool server over streamable HTTP on loopback, in the process of the test. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMcpHandler,
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createTestMcpServer } from './create-server.ts';
import { NO_SWITCHES, type McpSwitches } from './switches.ts';

/** How a tool server over HTTP is to be. */
export interface HttpMcpOptions extends Partial<McpSwitches> {
  /** Requests without it are refused; none unless given. */
  header?: { name: string; value: string };
  /** Answers a request instead of the server; null: the server answers. */
  guard?: (request: Request) => Promise<Response | null>;
  /** The status of a refusal; 401 unless given. */
  refusalStatus?: number;
}

/** A tool server that answers. */
export interface HttpMcpServer {
  /** Where its MCP endpoint is. */
  url: string;
  /** What was asked of it, in order: method, and the headers as they came. */
  requests: { method: string; headers: Record<string, string | string[] | undefined> }[];
  /** Forgets all sessions, like a restarted server. */
  forget(): void;
  close(): Promise<void>;
}

/** Starts one on any free port of 127.0.0.1; its endpoint is `/mcp`, and everything else is a page that isn't MCP. */
export async function startHttpMcpServer(options: HttpMcpOptions = {}): Promise<HttpMcpServer> {
  const { header, guard, refusalStatus = 401, ...given } = options;
  const switches: McpSwitches = { ...NO_SWITCHES, ...given };
  const requests: HttpMcpServer['requests'] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const die = (): void => http.closeAllConnections();
  const create = (): ReturnType<typeof createTestMcpServer> => createTestMcpServer({ switches, die });
  const modern = createMcpHandler(create, { legacy: 'reject' });

  async function answer(request: Request): Promise<Response> {
    const guarded = (await guard?.(request)) ?? null;
    if (guarded !== null) return guarded;
    if (header !== undefined && request.headers.get(header.name) !== header.value) {
      return new Response('No.', { status: refusalStatus });
    }
    if (new URL(request.url).pathname !== '/mcp') {
      return new Response('<h1>A lamp</h1>', { headers: { 'content-type': 'text/html' } });
    }
    await sleep(switches.startDelayMs);
    if (switches.talksNonsense) return Response.json({ lamp: true });
    if (switches.isModernOnly) return modern.fetch(request);
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return known.handleRequest(request);
    const body: unknown = request.method === 'POST' ? await request.clone().json() : null;
    if (!isInitializeRequest(body)) return new Response('No such session.', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await create().connect(transport);
    return transport.handleRequest(request);
  }

  const http = createServer((incoming, outgoing) => {
    requests.push({ method: incoming.method ?? '', headers: incoming.headers });
    void answer(toRequest(incoming, outgoing))
      .then((response) => send(response, outgoing))
      .catch(() => outgoing.destroy());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    requests,
    forget: () => sessions.clear(),
    async close() {
      http.closeAllConnections();
      http.close();
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      await modern.close();
    },
  };
}

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const hasBody = incoming.method === 'POST';
  return new Request(`http://${incoming.headers.host ?? 'localhost'}${incoming.url ?? '/'}`, {
    method: incoming.method ?? 'GET',
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  const reader = response.body?.getReader();
  outgoing.on('close', () => void reader?.cancel().catch(() => undefined));
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
    outgoing.write(piece.value);
  }
  outgoing.end();
}
