import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** How long a client may take nothing of an answer before it is let go. */
const STUCK_MS = 60_000;

/**
 * Sends a text piece by piece; each is produced once the client has read those before. A client that reads nothing for a minute is cut
 * off.
 */
export function sendText(reply: FastifyReply, text: AsyncIterable<string>, stuckMs = STUCK_MS): FastifyReply {
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
  endWhenStuck(reply.raw, stuckMs);
  return reply.send(Readable.from(text, { objectMode: false }));
}

/** Cuts off a client that takes nothing of an answer for so long. */
export function endWhenStuck(response: ServerResponse, stuckMs = STUCK_MS): void {
  let taken = -1;
  const timer = setInterval(() => {
    const { socket } = response;
    const now = socket === null ? 0 : socket.bytesWritten - socket.writableLength;
    if (now === taken) response.destroy();
    taken = now;
  }, stuckMs).unref();
  response.once('close', () => clearInterval(timer));
}
