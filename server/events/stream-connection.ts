import type { ServerResponse } from 'node:http';
import { HEARTBEAT } from './sse.ts';

/** As long as a client may take to read what is left when there is no more. */
const LONGEST_READ_MS = 60_000;

/** The wire of one stream: takes what the client can take, and says when it can take more. */
export interface StreamConnection {
  /** Whether the client has yet to read what it was sent. Nothing is put in line for it meanwhile. */
  readonly isBlocked: boolean;
  /** Sends text as it stands; only while not blocked. */
  send(text: string): void;
  /** Sends a sign of life if nothing was sent for so long. */
  keepAlive(quietMs: number): void;
  /** Ends the answer once the client has read all of it, within a minute. */
  finish(): void;
  /** Ends the answer in order; a client that doesn't read is cut off. */
  end(): void;
}

/** Begins the answer. `onDrain`: the client can take more. `onClose`: it is gone, or the answer has ended; called once. */
export function openConnection(
  response: ServerResponse,
  headers: Record<string, string>,
  { onDrain, onClose }: { onDrain: () => void; onClose: () => void },
): StreamConnection {
  let isFull = false;
  let isFinished = false;
  const isBlocked = (): boolean => isFull || isFinished;
  let spokeAt = performance.now();
  response.on('drain', () => {
    isFull = false;
    onDrain();
  });
  response.on('close', onClose);
  // A client that breaks off is no fault; `close` follows.
  response.on('error', () => undefined);
  response.writeHead(200, headers);
  response.flushHeaders();

  const send = (text: string): void => {
    spokeAt = performance.now();
    isFull = !response.write(text);
  };
  return {
    get isBlocked() {
      return isBlocked();
    },
    send,
    keepAlive(quietMs) {
      if (!isBlocked() && performance.now() - spokeAt >= quietMs) send(HEARTBEAT);
    },
    finish() {
      isFinished = true;
      response.end();
      const tooSlow = setTimeout(() => response.destroy(), LONGEST_READ_MS).unref();
      response.on('close', () => clearTimeout(tooSlow));
    },
    end() {
      if (isBlocked()) response.destroy();
      else response.end();
    },
  };
}
