import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import { requireAdmin, requireApprove, requireReach } from '../auth/caller.ts';

/** The app as routes see it: schemas give the types of what arrives and what is sent. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Where a request came in, as the client wrote it, such as `http://127.0.0.1:4141`; the guard lets only our own pass. */
export const addressOf = (request: FastifyRequest): string =>
  `http://${(request.headers.host ?? '').toLowerCase()}`;

/** Refuses callers that may not answer tools' questions before anything of the request is looked at; a route's `onRequest`. */
export async function approveOnly(request: FastifyRequest): Promise<void> {
  requireApprove(request.raw);
}

/**
 * Refuses callers that may not both reach out and say yes to it, before anything of the request is looked at; a route's
 * `onRequest`. What it lets through asks another server without a person being asked.
 */
export async function outgoingOnly(request: FastifyRequest): Promise<void> {
  requireReach(request.raw);
  requireApprove(request.raw);
}

/** Refuses callers without the scope `admin` before anything of the request is looked at; a route's `onRequest`. */
export async function adminOnly(request: FastifyRequest): Promise<void> {
  requireAdmin(request.raw);
}
