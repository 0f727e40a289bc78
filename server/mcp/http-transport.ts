import {
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { Answers, ASKS_TOO_MUCH } from './answers.ts';
import { Listing, LISTS_TOO_MUCH } from './listing.ts';
import type { SecretValues } from './server-secrets.ts';

/** Most that one answer may bring, in bytes: a stream that stays open brings no more than that, either. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** The longest that a server may take to accept what needs no answer, in milliseconds. */
const NOTICE_MS = 10_000;
/** Most answers to what the server asks that may be on their way at once: each is a connection. */
const MAX_ANSWERS = 32;
/** An answer may come a moment after its stream was seen to end. */
const AFTER_END_MS = 100;
/** The code of an error that no server sent: what it was to answer broke off. */
export const BROKE_OFF = -32_900;

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** A request that was sent and has no answer yet. */
interface Running {
  stop: AbortController;
  /** Its answer comes in a stream, which stays open when the sending is over. */
  isStreamed: boolean;
}

/** A tool server behind an address. Redirects are followed within the same server only: a key goes nowhere else. */
export class AddressTransport extends StreamableHTTPClientTransport {
  readonly #running = new Map<RequestId, Running>();
  readonly #listing = new Listing();
  readonly #answers = new Answers(MAX_ANSWERS);
  #refusal: string | null = null;

  constructor(url: string, headers: SecretValues) {
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const id = idIn(init?.body);
        const running = id === null ? undefined : this.#running.get(id);
        if (id === null || running === undefined) return bounded(response);
        running.isStreamed = isStream(response);
        return bounded(response, (bytes) => {
          if (this.#listing.takes(bytes, id)) return true;
          void this.#letGo(LISTS_TOO_MUCH);
          return false;
        });
      },
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 5_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
  }

  /** Why it was let go of, in words; null: it was not, or not by us. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Each message is a request of HTTP of its own, which lasts as long as the server likes unless it is ended here. */
  override async send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    if (!Array.isArray(message) && 'method' in message && 'id' in message) {
      await this.#ask(message, options);
      return;
    }
    const notice = {
      ...options,
      requestSignal: either(AbortSignal.timeout(NOTICE_MS), options.requestSignal),
    };
    try {
      if (!(await this.#answers.send(message, () => super.send(message, notice))))
        await this.#letGo(ASKS_TOO_MUCH);
    } finally {
      const cancelled = cancelledIn(message);
      if (cancelled !== null) this.#forget(cancelled);
    }
  }

  async #ask(request: JSONRPCRequest, options: SendOptions): Promise<void> {
    const { id } = request;
    const running: Running = { stop: new AbortController(), isStreamed: false };
    this.#running.set(id, running);
    this.#listing.sent(request);
    try {
      await super.send(request, {
        ...options,
        requestSignal: either(running.stop.signal, options.requestSignal),
        onRequestStreamEnd: () => {
          options.onRequestStreamEnd?.();
          this.#over(id);
          this.#breakOff(id);
        },
      });
    } catch (error) {
      this.#over(id);
      throw error;
    }
    if (!running.isStreamed) this.#over(id);
  }

  #over(id: RequestId): void {
    this.#running.delete(id);
    this.#listing.ended(id);
  }

  /** Nobody waits for that answer any more, so its request ends. */
  #forget(id: RequestId): void {
    this.#running.get(id)?.stop.abort();
    this.#over(id);
  }

  /** The library waits for an answer whose stream has ended without it until the call takes too long. */
  #breakOff(id: RequestId): void {
    setTimeout(() => {
      this.onmessage?.({
        jsonrpc: '2.0',
        id,
        error: { code: BROKE_OFF, message: 'The answer broke off.' },
      });
    }, AFTER_END_MS).unref();
  }

  async #letGo(why: string): Promise<void> {
    if (this.#refusal !== null) return;
    this.#refusal = why;
    await this.close();
  }

  /** Tells the server that this was all, if it answers soon, and lets go of it. */
  async end(graceMs: number): Promise<void> {
    await Promise.race([
      this.terminateSession().catch(() => undefined),
      sleep(graceMs, undefined, { ref: false }),
    ]);
    await this.close();
  }
}

function bounded(response: Response, takes: (bytes: number) => boolean = () => true): Response {
  if (response.body === null) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.byteLength;
      if (size > MAX_ANSWER_BYTES || !takes(piece.byteLength))
        controller.error(new Error('The answer is too large.'));
      else controller.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}

const either = (own: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? own : AbortSignal.any([own, other]);

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
