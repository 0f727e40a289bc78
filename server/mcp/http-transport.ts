import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/client';
import { attempt } from '../../shared/attempt.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { httpFetch } from '../net/http-fetch.ts';
import { bounded } from './bounded-response.ts';
import { ASKS_TOO_MUCH, type ConnectionOpening } from './connection.ts';
import type { SecretValues } from '../secrets/mask.ts';
import { tidyEnvelope } from './tidy-message.ts';

/** Largest response in bytes, also for a stream that stays open. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Most answers to the server's requests in transit at once: each is a connection. */
const MAX_ANSWERS = 32;
/** An answer may arrive a moment after the end of its stream. */
const AFTER_END_MS = 100;
/** How long an address may take to show that it speaks the older transport. */
const OLD_SSE_MS = 2_000;
/** Error codes that no server sent: its answer broke off, or is too large. */
export const BROKE_OFF = -32_900;
export const TOO_LARGE = -32_901;

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** A request that was sent and has no answer yet. */
interface Running {
  stop: AbortController;
  /** The answer comes as a stream, which stays open after the request was sent. */
  isStreamed: boolean;
}

/** A tool server behind an address. Redirects are followed only within the same server, so that a key goes nowhere else. */
export class AddressTransport extends StreamableHTTPClientTransport {
  readonly #running = new Map<RequestId, Running>();
  readonly #noticeMs: number;
  readonly #openStream: (signal: AbortSignal) => Promise<Response>;
  /** Answers to the server's requests that it hasn't accepted yet. */
  #answering = 0;
  /** Why it was let go of, in words; null: it was not, or not by us. */
  refusal: string | null = null;

  /** `noticeMs`: how long a message that needs no answer may take to be accepted. */
  constructor(
    url: string,
    headers: SecretValues,
    { noticeMs, findRoute, auth }: Pick<ConnectionOpening, 'noticeMs' | 'findRoute' | 'auth'>,
  ) {
    const request: NonNullable<StreamableHTTPClientTransportOptions['fetch']> = async (input, init) => {
      const { method = 'GET', body = null, signal = null, headers: sent } = init ?? {};
      if (body !== null && typeof body !== 'string') throw new TypeError('A message is text.');
      const target = new URL(input);
      const route = await findRoute(target);
      return httpFetch(target, { method, headers: new Headers(sent), body, signal, route });
    };
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      ...(auth !== null && { authProvider: auth }),
      fetch: async (input, init) => {
        const response = await request(input, init);
        const id = idIn(init?.body);
        const running = id === null ? undefined : this.#running.get(id);
        if (id === null || running === undefined) return bounded(response, MAX_ANSWER_BYTES);
        running.isStreamed = isStream(response);
        return tidied(
          bounded(response, MAX_ANSWER_BYTES, () => this.#fail(id, TOO_LARGE, 'The answer is too large.')),
        );
      },
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 5_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
    this.#noticeMs = noticeMs;
    this.#openStream = (signal) =>
      request(url, { headers: { ...headers, accept: 'text/event-stream' }, signal });
  }

  /** Each message is a separate HTTP request, which lasts as long as the server likes unless ended here. */
  override async send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    if (!Array.isArray(message) && 'method' in message && 'id' in message) {
      await this.#ask(message, options);
      return;
    }
    const notice = {
      ...options,
      requestSignal: either(AbortSignal.timeout(this.#noticeMs), options.requestSignal),
    };
    const isAnswer = !Array.isArray(message) && !('method' in message);
    if (isAnswer && this.#answering >= MAX_ANSWERS) {
      this.refusal ??= ASKS_TOO_MUCH;
      await this.close();
      return;
    }
    if (isAnswer) this.#answering += 1;
    try {
      await super.send(message, notice);
    } finally {
      if (isAnswer) this.#answering -= 1;
      const cancelled = cancelledIn(message);
      if (cancelled !== null) {
        // Nobody waits for that answer any more, so its request ends.
        this.#running.get(cancelled)?.stop.abort();
        this.#running.delete(cancelled);
      }
    }
  }

  async #ask(request: JSONRPCRequest, options: SendOptions): Promise<void> {
    const { id } = request;
    const running: Running = { stop: new AbortController(), isStreamed: false };
    this.#running.set(id, running);
    try {
      await super.send(request, {
        ...options,
        requestSignal: either(running.stop.signal, options.requestSignal),
        onRequestStreamEnd: () => {
          options.onRequestStreamEnd?.();
          this.#running.delete(id);
          // Otherwise the library would wait for this answer until the call times out.
          setTimeout(() => this.#fail(id, BROKE_OFF, 'The answer broke off.'), AFTER_END_MS).unref();
        },
      });
    } catch (error) {
      this.#running.delete(id);
      throw error;
    }
    if (!running.isStreamed) this.#running.delete(id);
  }

  #fail(id: RequestId, code: number, message: string): void {
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code, message } });
  }

  /** Whether the address answers as servers of the older HTTP+SSE transport do: with where to send messages. */
  async speaksOldSse(): Promise<boolean> {
    const signal = AbortSignal.timeout(OLD_SSE_MS);
    try {
      const response = await this.#openStream(signal);
      if (!isStream(response)) return false;
      for await (const piece of response.body ?? [])
        return /^event: ?endpoint\b/m.test(Buffer.from(piece).toString());
    } catch {
      // It doesn't say.
    }
    return false;
  }

  /** Ends the session at the server, if it answers soon, and closes. */
  async end(graceMs: number): Promise<void> {
    await withTimeout(
      graceMs,
      this.terminateSession().catch(() => undefined),
    );
    await this.close();
  }
}

const either = (own: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? own : AbortSignal.any([own, other]);

/** The answer to a request as {@link tidyEnvelope} has it, if it is JSON, whatever the server calls that. */
async function tidied(response: Response): Promise<Response> {
  const { body, ok, status } = response;
  const type = response.headers.get('content-type') ?? '';
  if (!ok || body === null || !/^$|json|text\/plain/i.test(type)) return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  const text = await response.text();
  // If it isn't JSON, the library says so.
  const tidy = attempt(() => JSON.stringify(tidyEnvelope(JSON.parse(text))));
  return new Response(tidy ?? text, { status, headers });
}

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.trim().toLowerCase().startsWith('text/event-stream') === true;

/** Which request a body of ours holds; null: none. */
function idIn(body: RequestInit['body']): RequestId | null {
  if (typeof body !== 'string') return null;
  return (JSON.parse(body) as { id?: RequestId }).id ?? null;
}

/** Which request a message cancels; null: none. */
function cancelledIn(message: JSONRPCMessage | JSONRPCMessage[]): RequestId | null {
  if (Array.isArray(message) || !('method' in message) || message.method !== 'notifications/cancelled')
    return null;
  return (message.params as { requestId?: RequestId } | undefined)?.requestId ?? null;
}
