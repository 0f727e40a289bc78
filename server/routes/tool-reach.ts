import type { FastifyRequest } from 'fastify';
import type { OnApproval } from '../../shared/api/message.ts';
import { callerOf } from '../auth/caller.ts';
import type { ToolReach } from '../store/message-repository.ts';

/** Which tools a turn gets that this request starts: the right is the caller's, whoever wrote the message before. */
export function toolReachOf(request: FastifyRequest, onApproval: OnApproval = 'ask'): ToolReach {
  if (!callerOf(request.raw).reach) return 'none';
  return onApproval === 'deny' ? 'unasked' : 'all';
}
