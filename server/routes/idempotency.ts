import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** The header in the API's document. */
export const IDEMPOTENCY_HEADER = {
  'Idempotency-Key':
    '1 to 255 printable characters. For 24 hours the first answer to it comes back, and no second message is made; with another text or mode it is a 409.',
};

/** What a request's `Idempotency-Key` header says; AppError `invalid_request` when it is not one. */
export function idempotencyOf(request: FastifyRequest): { idempotencyKey?: string } {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return {};
  if (!IDEMPOTENCY_KEY.test(String(key))) {
    throw new AppError(
      'invalid_request',
      'The Idempotency-Key header must be 1 to 255 printable ASCII characters.',
    );
  }
  return { idempotencyKey: String(key) };
}
