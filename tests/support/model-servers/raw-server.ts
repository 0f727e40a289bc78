/** A model server that answers with given bytes, in pieces that respect neither events nor characters. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Provider } from '../../../shared/providers.ts';
import type { ModelAccess } from '../../../server/connections/model-access.ts';

/** What it answers to one request. */
export interface RawAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: string | Buffer;
  /** After the body: the answer ends, stays open, or its connection breaks. */
  then?: 'end' | 'open' | 'break';
  /** Waits so long before the headers. */
  afterMs?: number;
  /** Sent again and again, so long apart, before the body; `first` before that. */
  alive?: { text: string; everyMs: number; times: number; first?: string };
}

/** A server that is played. */
export interface RawServer {
  origin: string;
  /** The bodies of the requests so far. */
  bodies: unknown[];
  /** The same as they came. */
  texts: string[];
  /** When they came, by `performance.now()`. */
  times: number[];
  access(provider: Provider, changes?: Partial<ModelAccess>): ModelAccess;
}

/** Of the pieces, in turn. Some split characters and the ends of events; each costs both sides several system calls. */
const SIZES = [1, 2, 331, 3, 1, 164, 7, 605];

/** Starts it; `answer` gets the number of the request, from 0. It ends with the test. */
export async function startRawServer(answer: (request: number) => RawAnswer): Promise<RawServer> {
  const bodies: unknown[] = [];
  const texts: string[] = [];
  const times: number[] = [];
  let isOver = false;
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => request.socket.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += String(piece);
    texts.push(text);
    const number = bodies.push(JSON.parse(text)) - 1;
    times.push(performance.now());
    const { status = 200, headers, body, then = 'end', afterMs = 0, alive } = answer(number);
    if (afterMs > 0) await pause(afterMs);
    response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
    response.flushHeaders();
    if (alive?.first !== undefined) response.write(alive.first);
    for (let count = 0; count < (alive?.times ?? 0) && !isOver; count += 1) {
      await pause(alive?.everyMs ?? 0);
      response.write(alive?.text);
    }
    const bytes = Buffer.from(body);
    for (let at = 0, index = 0; at < bytes.length; index += 1) {
      const size = SIZES[index % SIZES.length] ?? 1;
      response.write(bytes.subarray(at, at + size));
      at += size;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (then === 'end') response.end();
    if (then !== 'break') return;
    await pause(30);
    response.socket?.destroy();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    isOver = true;
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    bodies,
    texts,
    times,
    access: (provider, changes = {}) => ({
      provider,
      baseUrl: provider === 'ollama' ? origin : `${origin}/v1`,
      apiKey: 'sk-test-0123456789abcdef',
      modelId: 'fake-model',
      ...changes,
    }),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
