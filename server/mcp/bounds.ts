/** Limits on what a tool server can make us keep or read. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';

/**
 * Most characters that may be in transit at once: an answer repeats the id that the server gave its request, however
 * long.
 */
const MAX_CHARACTERS = 256 * 1024;

/** The message for a server that asks without end. */
export const ASKS_TOO_MUCH = 'The tool server asks for answers faster than it takes them, so it was let go.';

/**
 * Answers on their way to a server. A server may ask without end and never read the answers, so what is kept for it is
 * limited.
 */
export class Answers {
  readonly #max: number;
  #count = 0;
  #characters = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Sends a message that may be an answer. False: too many are in transit, and it was not sent. */
  async send(message: JSONRPCMessage | JSONRPCMessage[], deliver: () => Promise<void>): Promise<boolean> {
    if (Array.isArray(message) || 'method' in message) {
      await deliver();
      return true;
    }
    const { length } = JSON.stringify(message);
    if (this.#count >= this.#max || this.#characters + length > MAX_CHARACTERS) return false;
    this.#count += 1;
    this.#characters += length;
    try {
      await deliver();
    } finally {
      this.#count -= 1;
      this.#characters -= length;
    }
    return true;
  }
}

/** Largest list of tools, in bytes over all its pages: reading a large one blocks everything else. */
const MAX_LISTING_BYTES = 4 * 1024 * 1024;

/** The message for a server that lists more than that. */
export const LISTS_TOO_MUCH = 'The tool server lists more than can be read, so it was let go.';

/** Counts what a server sends while only its list of tools is awaited. */
export class Listing {
  /** Requests without an answer, and whether each asks for the list. */
  readonly #waiting = new Map<RequestId, boolean>();
  #bytes = 0;

  /** Notes a message sent to the server. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if (message.method === 'notifications/cancelled') {
      this.ended((message.params as { requestId?: RequestId } | undefined)?.requestId);
    }
    if (!('id' in message)) return;
    const isList = message.method === 'tools/list';
    if (isList && message.params?.['cursor'] === undefined) this.#bytes = 0;
    this.#waiting.set(message.id, isList);
  }

  /** A request was answered, or nobody waits for it any more. */
  ended(id: RequestId | undefined): void {
    if (id !== undefined) this.#waiting.delete(id);
  }

  /** Whether this many further bytes are allowed. `id`: they answer that request; without it, any request. */
  takes(bytes: number, id?: RequestId): boolean {
    const waiting = id === undefined ? [...this.#waiting.values()] : [this.#waiting.get(id) === true];
    if (waiting.length === 0 || waiting.includes(false)) return true;
    this.#bytes += bytes;
    return this.#bytes <= MAX_LISTING_BYTES;
  }
}
