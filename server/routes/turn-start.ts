/** What a request sets for the turn it starts, besides the fields of its body. */
import type { FastifyRequest } from 'fastify';
import type { OnApproval } from '../../shared/api/message.ts';
import type { ChangeMessageBody } from '../../shared/api/message-requests.ts';
import { callerOf } from '../auth/caller.ts';
import { AppError } from '../errors.ts';
import { definedFields } from '../lib/defined-fields.ts';
import type { ToolReach } from '../store/message-repository.ts';

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** The header in the API's document. */
export const IDEMPOTENCY_HEADER = {
  'Idempotency-Key':
    '1 to 255 printable characters. For 24 hours, a repeat with the same key gets the first response, and no second message is created; with another text or mode it is a 409.',
};

/** A request's `Idempotency-Key` header. AppError `invalid_request` for a bad one. */
export function idempotencyOf({ headers }: FastifyRequest): { idempotencyKey?: string } {
  const key = headers['idempotency-key'];
  if (key === undefined) return {};
  if (!IDEMPOTENCY_KEY.test(String(key))) {
    throw new AppError(
      'invalid_request',
      'The Idempotency-Key header must be 1 to 255 printable ASCII characters.',
    );
  }
  return { idempotencyKey: String(key) };
}

/** All of it. AppError `invalid_request` for a bad `Idempotency-Key`. */
export function turnStart(
  request: FastifyRequest,
  onApproval?: OnApproval,
): { toolReach: ToolReach; notifies: string | undefined; idempotencyKey?: string } {
  const { notifies } = callerOf(request.raw);
  return { toolReach: toolReachOf(request, onApproval), notifies, ...idempotencyOf(request) };
}

const MESSAGE_FIELDS = ['content', 'mode', 'model', 'parameters', 'attachments'] as const;

/** What a request and its body set for a message and its turn. Throws as {@link turnStart}. */
export const messageSettingsOf = <B extends ChangeMessageBody>(request: FastifyRequest, body: B) =>
  Object.assign(definedFields(body, MESSAGE_FIELDS), turnStart(request, body.onApproval));

/** Which tools a turn gets that this request starts: the caller's right decides, whoever wrote the message. */
export function toolReachOf(request: FastifyRequest, onApproval: OnApproval = 'ask'): ToolReach {
  if (!callerOf(request.raw).reach) return 'none';
  return onApproval === 'deny' ? 'unasked' : 'all';
}
