import type { FastifyReply } from 'fastify';

/** Fires, with that reason, when the client has disconnected or has received the whole response. */
export function signalDeparture(reply: FastifyReply, reason: Error): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort(reason);
  if (reply.raw.destroyed) leave();
  reply.raw.once('close', leave);
  return controller.signal;
}
