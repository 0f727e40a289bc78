/** Stored responses: their ids, how they are found, and what their rows say. */
import type { FastifyRequest } from 'fastify';
import { isUnderWay, type Exchange, type ExchangeTarget } from '../../events/exchanges.ts';
import { OpenAiError } from '../../plugins/openai-error.ts';
import { findWorkspaceId } from '../../plugins/workspace.ts';
import type { OpenAiDeps } from './deps.ts';
import { exchangeAnswer, writtenOf } from './kept.ts';
import {
  failedStanding,
  outputOf,
  toAnsweredResponse,
  toResponse,
  type ResponseHead,
} from './response-format.ts';
import type { ResponseObject } from './schemas.ts';
import { RESPONSE_FIELDS } from './fields.ts';

/** The start of every response's id. */
export const PREFIX = 'resp_';

/** The id of a stored response names its chat and the message that it answers. */
export const responseIdOf = ({ chatId, messageId }: Pick<ExchangeTarget, 'chatId' | 'messageId'>): string =>
  `${PREFIX}${chatId}_${messageId}`;

/** A stored response, and where it is. */
export interface StoredResponse {
  id: string;
  target: ExchangeTarget;
  exchange: Exchange;
}

/** The response of that id; `param` names the field with the id. Throws OpenAiError `response_not_found`. */
export async function requireResponse(
  { exchanges }: OpenAiDeps,
  request: FastifyRequest,
  id: string,
  param: string,
): Promise<StoredResponse> {
  const [chatId, messageId, ...more] = id.slice(PREFIX.length).split('_');
  const isId = id.startsWith(PREFIX) && chatId !== undefined && messageId !== undefined && more.length === 0;
  const target = isId ? { chatId, messageId, workspaceId: findWorkspaceId(request) } : null;
  const exchange = target && (await exchanges.find(target));
  if (target === null || exchange === null) {
    const words = `There is no response “${id}”. Only stored responses can be found; send "store": true to store one.`;
    throw new OpenAiError(404, words, { param, code: 'response_not_found' });
  }
  return { id, target, exchange };
}

/** As {@link requireResponse}, and its reply must not have been deleted. */
export async function requireReply(...asked: Parameters<typeof requireResponse>): Promise<StoredResponse> {
  const response = await requireResponse(...asked);
  const { exchange } = response;
  if (exchange.reply === null && !isUnderWay(exchange)) exchangeAnswer(exchange, RESPONSE_FIELDS);
  return response;
}

/** The part of a response that doesn't depend on its reply. */
export function headOf({ id, exchange }: StoredResponse): ResponseHead {
  const { chat, question, reply, previousId } = exchange;
  return {
    id,
    createdAt: Math.floor(Date.parse(question.createdAt) / 1000),
    isKept: true,
    previousId: previousId === null ? null : responseIdOf({ chatId: chat.id, messageId: previousId }),
    echo: { model: reply?.model ?? chat.model, background: false, ...question.echo },
  };
}

/** The response in its current state. Throws OpenAiError when its reply was deleted. */
export function readResponse(stored: StoredResponse): ResponseObject {
  const head = headOf(stored);
  const { exchange } = stored;
  const { reply } = exchange;
  if (isUnderWay(exchange)) return toResponse(head, { status: reply === null ? 'queued' : 'in_progress' });
  if (reply?.error) return toResponse(head, failedStanding(reply.error, outputOf(head.id, writtenOf(reply))));
  const answered = toAnsweredResponse(head, exchangeAnswer(exchange, RESPONSE_FIELDS));
  return reply?.stopReason === 'stopped' ? { ...answered, status: 'cancelled' } : answered;
}
