/**
 * `parley mcp`: for MCP clients that start their servers as programs. It relays messages between its standard streams
 * and the service's `/mcp`, and has no tools itself. It looks for the service, which has to prove itself, before each
 * request: so the service may start later than this program, and restart with another port or key.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, RequestId, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { attempt } from '../../shared/attempt.ts';
import { LineBuffer } from '../mcp/line-buffer.ts';
import { findService, NoServiceError } from './find-service.ts';
import { messageOf } from '../lib/message-of.ts';

/** Options of {@link runMcp}. */
export interface McpProgram {
  /** The data folder of the service. */
  dataDir: string;
  /** Gets messages for the user, a line at a time, to print outside the protocol, such as on standard error. */
  log: (line: string) => void;
  /** How long a request waits for a missing service, in milliseconds; clients give up after about a minute. */
  waitMs?: number;
  input?: NodeJS.ReadableStream;
  output?: NodeJS.WritableStream;
}

const WAIT_MS = 30_000;
const CHECK_AGAIN_MS = 250;
/** Longer than any message that the service accepts. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const NOT_A_MESSAGE = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'This line is not a JSON-RPC message.' },
};
/** The protocol leaves the codes from here to -32099 to servers. */
const SERVER_ERROR = -32_000;

const BROKE_OFF =
  'The connection to Parley was lost. The request may still be running there: check the chats before trying again.';

/** Passes messages on until the input ends and its requests are answered. */
export async function runMcp(program: McpProgram): Promise<void> {
  const { input = process.stdin, output = process.stdout, log } = program;
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const ending = new AbortController();
  // Only the path counts: the address is looked up for each request.
  const service = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: createReach(program, ending.signal),
  });
  const send = (message: object): void => void output.write(`${JSON.stringify(message)}\n`);
  const pass = createPass(service, send);
  const passing = new Set<Promise<void>>();
  await service.start();
  // The reader has gone: there is nothing left to do.
  output.on('error', () => ending.abort());
  const aborted = once(ending.signal, 'abort');

  const lines = new LineBuffer(MAX_LINE_BYTES);
  const readAll = async (): Promise<void> => {
    for await (const piece of input as AsyncIterable<Buffer>) {
      const whole = lines.take(piece);
      if (whole === null) {
        log('A message is too long, so this program ends.');
        ending.abort();
        return;
      }
      for (const message of whole.filter((line) => line.trim() !== '').flatMap(messagesIn)) {
        if (message === null) {
          send(NOT_A_MESSAGE);
          continue;
        }
        const passed = pass(message).finally(() => passing.delete(passed));
        passing.add(passed);
      }
    }
  };
  // An input that breaks off has ended.
  await Promise.race([aborted, readAll().catch(() => undefined)]);
  await Promise.race([aborted, Promise.all(passing)]);
  ending.abort();
  await service.close();
}

/** The messages of a line, one or a batch; null for anything that isn't a message. */
function messagesIn(line: string): (JSONRPCMessage | null)[] {
  const parsed = attempt(() => JSON.parse(line) as unknown);
  return (Array.isArray(parsed) ? parsed : [parsed]).map((message: unknown) =>
    typeof message === 'object' ? (message as JSONRPCMessage | null) : null,
  );
}

/** Passes one message to the service, and its answers to `send`. Every request gets one, even if only an error; resolves then. */
function createPass(
  service: StreamableHTTPClientTransport,
  send: (message: object) => void,
): (message: JSONRPCMessage) => Promise<void> {
  const running = new Map<RequestId, { stop: AbortController; resolve: (value: undefined) => void }>();
  const end = (id: RequestId): boolean => {
    running.get(id)?.resolve(undefined);
    return running.delete(id);
  };
  const fail = (id: RequestId, message: string): void => {
    if (end(id)) send({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message } });
  };

  service.onmessage = (message) => {
    if ('id' in message && message.id !== undefined && !('method' in message)) end(message.id);
    const result = 'result' in message ? message.result : {};
    // Each request repeats the protocol version agreed on at the start.
    if (typeof result['protocolVersion'] === 'string') service.setProtocolVersion(result['protocolVersion']);
    send(message);
  };

  return async (message) => {
    if (!('method' in message)) return service.send(message).catch(() => undefined);
    if (!('id' in message)) {
      const { requestId } = (message.params ?? {}) as { requestId?: RequestId };
      const isCancellation = message.method === 'notifications/cancelled' && requestId !== undefined;
      const cancelled = isCancellation ? running.get(requestId) : undefined;
      // Nobody waits for its answer from here on; the service is notified before the connection ends.
      if (isCancellation) end(requestId);
      await service.send(message).catch(() => undefined);
      cancelled?.stop.abort();
      return;
    }
    const { id } = message;
    const stop = new AbortController();
    const { promise: answered, resolve } = Promise.withResolvers<undefined>();
    end(id);
    running.set(id, { stop, resolve });
    try {
      await service.send(message, {
        requestSignal: stop.signal,
        onRequestStreamEnd: () => fail(id, BROKE_OFF),
      });
    } catch (error) {
      fail(id, messageOf(error));
    }
    await answered;
  };
}

/** `fetch` for the service of the data folder, wherever that is now. */
function createReach({ dataDir, log, waitMs = WAIT_MS }: McpProgram, ending: AbortSignal): typeof fetch {
  let lastFault = '';
  const find = async (signal: AbortSignal): ReturnType<typeof findService> => {
    const until = performance.now() + waitMs;
    for (;;) {
      try {
        const found = await findService(dataDir, signal);
        lastFault = '';
        return found;
      } catch (error) {
        if (!(error instanceof NoServiceError) || performance.now() > until) throw error;
        if (lastFault !== error.message) log(error.message);
        lastFault = error.message;
        await sleep(CHECK_AGAIN_MS, undefined, { signal });
      }
    }
  };

  return async (_address, init = {}) => {
    const signal = AbortSignal.any([ending, ...(init.signal ? [init.signal] : [])]);
    const { baseUrl, apiKey } = await find(signal);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${apiKey}`);
    return fetch(`${baseUrl}/mcp`, { ...init, headers, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new Error(BROKE_OFF, { cause: error });
    });
  };
}
