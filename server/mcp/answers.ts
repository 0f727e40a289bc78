import type { JSONRPCMessage } from '@modelcontextprotocol/client';

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
