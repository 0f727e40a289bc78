import type { FastifyRequest } from 'fastify';
import type { OnApproval } from '../../shared/api/message.ts';
import { callerOf } from '../auth/caller.ts';
import type { ToolReach } from '../store/message-repository.ts';
import { idempotencyOf } from './idempotency.ts';

/** What a request sets for the turn it starts, besides the fields of its body. AppError `invalid_request` for a bad `Idempotency-Key`. */
export function turnStart(
  request: FastifyRequest,
  onApproval?: OnApproval,
): { toolReach: ToolReach; notifies: string | undefined; idempotencyKey?: string } {
  const { notifies } = callerOf(request.raw);
  return { toolReach: toolReachOf(request, onApproval), notifies, ...idempotencyOf(request) };
}

/** Which tools a turn gets that this request starts: the right is the caller's, whoever wrote the message before. */
export function toolReachOf(request: FastifyRequest, onApproval: OnApproval = 'ask'): ToolReach {
  if (!callerOf(request.raw).reach) return 'none';
  return onApproval === 'deny' ? 'unasked' : 'all';
}
