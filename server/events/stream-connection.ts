import type { ServerResponse } from 'node:http';
import { HEARTBEAT } from './sse.ts';

/** How long a client may take to read the rest after the end. */
const LONGEST_READ_MS = 60_000;

/** The connection of one stream: takes what the client can take, and signals when it can take more. */
export type StreamConnection = ReturnType<typeof openStream>;

/**
 * Starts the response. `onDrain`: the client can take more. `onClose`: it is gone, or the response has ended; called
 * once.
 */
export function openStream(
  response: ServerResponse,
  headers: Record<string, string>,
  { onDrain, onClose }: { onDrain: () => void; onClose: () => void },
) {
  let isFull = false;
  let isFinished = false;
  let isInPieces = false;
  const isBlocked = (): boolean => isFull || isFinished || isInPieces;
  let sentAt = performance.now();
  /** Called when the client can take more, or is gone. */
  let resume = (): void => undefined;
  response.on('drain', () => {
    isFull = false;
    if (isInPieces) resume();
    else onDrain();
  });
  response.on('close', () => {
    resume();
    onClose();
  });
  // A client that disconnects is no error; `close` follows.
  response.on('error', () => undefined);
  response.writeHead(200, headers);
  response.flushHeaders();

  /** Sends text unchanged; only while not blocked. */
  const send = (text: string): void => {
    sentAt = performance.now();
    isFull = !response.write(text);
  };
  return {
    /** Whether the client still has to read what it was sent. Nothing is queued for it meanwhile. */
    get isBlocked(): boolean {
      return isBlocked();
    },
    send,
    /** Sends pieces one after the other, as fast as the client takes them; meanwhile blocked. Resolves when all are sent, or it is gone. */
    async sendPieces(pieces: AsyncIterable<string>): Promise<void> {
      isInPieces = true;
      for await (const piece of pieces) {
        if (isFull) await new Promise<void>((resolve) => (resume = resolve));
        if (response.destroyed) return;
        send(piece);
      }
      isInPieces = false;
      // What happened meanwhile was not sent.
      if (!isFull) onDrain();
    },
    /** Sends a sign of life if nothing was sent for this long. */
    keepAlive(quietMs: number): void {
      if (!isBlocked() && performance.now() - sentAt >= quietMs) send(HEARTBEAT);
    },
    /** Ends the response once the client has read all of it, after a minute at most. */
    finish(): void {
      isFinished = true;
      response.end();
      const tooSlow = setTimeout(() => response.destroy(), LONGEST_READ_MS).unref();
      response.on('close', () => clearTimeout(tooSlow));
    },
    /** Ends the response properly; a client that doesn't read is cut off. */
    end(): void {
      if (isBlocked()) response.destroy();
      else response.end();
    },
  };
}
