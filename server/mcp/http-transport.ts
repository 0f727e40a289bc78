import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretValues } from './server-secrets.ts';

/** Most that one answer may bring, in bytes: a stream that stays open brings no more than that, either. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** An answer may come a moment after its stream was seen to end. */
const AFTER_END_MS = 100;
/** The code of an error that no server sent: what it was to answer broke off. */
export const BROKE_OFF = -32_900;

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** A tool server behind an address. Redirects are followed within the same server only: a key goes nowhere else. */
export class AddressTransport extends StreamableHTTPClientTransport {
  constructor(url: string, headers: SecretValues) {
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: async (input, init) => bounded(await fetch(input, init)),
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 5_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
  }

  /** The library waits for an answer whose stream has ended without it until the call takes too long. */
  override async send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    const { onRequestStreamEnd } = options;
    await super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        onRequestStreamEnd?.();
        if (!('method' in message && 'id' in message)) return;
        const { id } = message;
        setTimeout(() => {
          this.onmessage?.({
            jsonrpc: '2.0',
            id,
            error: { code: BROKE_OFF, message: 'The answer broke off.' },
          });
        }, AFTER_END_MS).unref();
      },
    });
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

function bounded(response: Response): Response {
  if (response.body === null) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.byteLength;
      if (size > MAX_ANSWER_BYTES) controller.error(new Error('The answer is too large.'));
      else controller.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}
