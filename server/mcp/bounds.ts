/** Ends to what a tool server may have us keep or read. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';

/** Most characters that may be on the way at once: an answer repeats what a server called its request. */
const MAX_CHARACTERS = 256 * 1024;

/** What is said of a server that asks without end. */
export const ASKS_TOO_MUCH = 'The tool server asks for answers faster than it takes them, so it was let go.';

/**
 * Answers to what a server asks, on their way to it. A server may ask as much as it likes and take nothing of it, so there is
 * an end to what is kept for it.
 */
export class Answers {
  readonly #max: number;
  #count = 0;
  #characters = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Sends what may be an answer. False: there are too many on their way, and it was not sent. */
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

/** Most that a whole list of tools may bring, in bytes of all its pages: reading a large one holds up everything else. */
const MAX_LISTING_BYTES = 4 * 1024 * 1024;

/** What is said of a server that lists more than that. */
export const LISTS_TOO_MUCH = 'The tool server lists more than can be read, so it was let go.';

/** Counts what a server sends while nothing but its list of tools is waited for. */
export class Listing {
  /** Requests without an answer, and whether each asks for the list. */
  readonly #waiting = new Map<RequestId, boolean>();
  #bytes = 0;

  /** Takes note of what is sent to the server. */
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

  /** A request has its answer, or nobody waits for it any more. */
  ended(id: RequestId | undefined): void {
    if (id !== undefined) this.#waiting.delete(id);
  }

  /** Whether so many further bytes may come. `id`: they answer that request; without it, whatever is waited for. */
  takes(bytes: number, id?: RequestId): boolean {
    const waiting = id === undefined ? [...this.#waiting.values()] : [this.#waiting.get(id) === true];
    if (waiting.length === 0 || waiting.includes(false)) return true;
    this.#bytes += bytes;
    return this.#bytes <= MAX_LISTING_BYTES;
  }
}
