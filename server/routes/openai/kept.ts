/**
 * Exchanges that become a chat: the user's message is sent like any other, its turn is worked like any other, and whoever asked
 * follows it. So it goes on when they go away, or the service is killed, and the window shows it.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_AGENT_TYPE, MAX_CONTENT_CHARACTERS } from '../../../shared/limits.ts';
import { withThousands } from '../../../shared/numbers.ts';
import { callerOf } from '../../auth/caller.ts';
import type { ChatChanges } from '../../chats/change-chat.ts';
import type { ChatService } from '../../chats/chat-service.ts';
import { AppError } from '../../errors.ts';
import type { Exchange, ExchangeTarget, Exchanges } from '../../events/exchanges.ts';
import { OpenAiError } from '../../plugins/openai-error.ts';
import { findWorkspaceId, requireWorkspaceId } from '../../plugins/workspace.ts';
import { toolReachOf } from '../tool-reach.ts';
import { startAnswering, type Answered, type Answering } from './answering.ts';
import { CUT, departureOf, requireAgentsWishes, type AskDeps, type Question } from './ask.ts';
import { requireQuestion } from './conversation.ts';
import { failureOf } from './failure.ts';

/** What keeping works with. */
export interface KeepDeps extends Pick<AskDeps, 'hasWorkspace'> {
  chats: Pick<ChatService, 'admit' | 'create' | 'find' | 'send'>;
  chatChanges: Pick<ChatChanges, 'update'>;
  exchanges: Exchanges;
}

/** The header that names the chat that an exchange goes into, or `new`; and that says which it went into. */
const HEADER = 'x-parley-chat';
const NEW = 'new';

/** The chat that a request wants its exchange in, or `new`; null: in none. `store` is the same as `new` where no chat is named. */
export function wantedChat(request: FastifyRequest, store: boolean | null | undefined): string | null {
  const wanted = String(request.headers[HEADER] ?? '').trim();
  if (wanted !== '') return wanted;
  return store === true ? NEW : null;
}

/**
 * Sends the user's last message to a chat, a new one for `new`, which from then on is answered by who is named. Resolves once that is
 * on disk. Throws OpenAiError for what a chat can't carry, and AppError as a send does.
 */
export async function keep(
  deps: KeepDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { answerer, conversation, wishes, param }: Question,
  wanted: string,
): Promise<ExchangeTarget> {
  const { chats, chatChanges, hasWorkspace } = deps;
  const content = requireQuestion(conversation.said, param);
  requireAgentsWishes(wishes, 'Chats are answered');
  const refuse = (words: string, field: string): never => {
    throw new OpenAiError(400, words, { param: field });
  };
  if ((wishes.direct.tools?.length ?? 0) > 0) refuse(NO_TOOLS, 'tools');
  if (conversation.instructions.length > 0) refuse(NO_INSTRUCTIONS, param);
  if (wanted === NEW && conversation.said.length > 1) refuse(NO_HISTORY, param);
  if (Array.from(content).length > MAX_CONTENT_CHARACTERS) refuse(TOO_LONG, param);

  const { model, agentType } = answerer;
  const workspaceId = requireWorkspaceId(request, hasWorkspace);
  let chatId = wanted;
  if (wanted === NEW) {
    ({ id: chatId } = await chats.create({ workspaceId, agentType: agentType ?? DEFAULT_AGENT_TYPE, model }));
  } else {
    const change = { model, ...(agentType !== null && { agentType }) };
    const chat = await chatChanges.update({ chatId, workspaceId }, change);
    if (chat === null) throw new AppError('chat_not_found');
  }
  reply.header(HEADER, chatId);
  await chats.admit(chatId, callerOf(request.raw).workspaceId, false);
  const messageId = randomUUID();
  // Nobody sits beside a program to say yes to a tool.
  const toolReach = toolReachOf(request, 'deny');
  const { notifies } = callerOf(request.raw);
  await chats.send({ chatId, workspaceId, content, mode: 'agent', messageId, toolReach, notifies });
  return { chatId, workspaceId, messageId };
}

/** Where the caller of a request may look for an exchange. */
export const targetOf = (
  { hasWorkspace }: Pick<AskDeps, 'hasWorkspace'>,
  request: FastifyRequest,
  ids: Pick<ExchangeTarget, 'chatId' | 'messageId'>,
): ExchangeTarget => ({ ...ids, workspaceId: findWorkspaceId(request, hasWorkspace) });

/** Follows an exchange until it is answered or the client goes away; that ends nothing but the following. */
export function follow({ exchanges }: KeepDeps, reply: FastifyReply, target: ExchangeTarget): Answering {
  return startAnswering(async (onWritten) => {
    const told = { any: false, text: '', reasoning: '' };
    /** Another try at a reply begins anew: nothing is told until it has come as far; false: it hasn't. */
    const tell = (text: string, reasoning: string): boolean => {
      if (!text.startsWith(told.text) || !reasoning.startsWith(told.reasoning)) return false;
      Object.assign(told, { any: true, text, reasoning });
      onWritten({ text, reasoning, calls: [] });
      return true;
    };
    const exchange = await exchanges.follow(target, {
      signal: departureOf(reply),
      onGrowth: ({ content, reasoning }) => tell(content, reasoning),
    });
    const final = exchange?.reply;
    const isWhole = !told.any || tell(final?.content ?? '', final?.reasoning ?? '');
    const answered = exchangeAnswer(exchange);
    if (!isWhole) throw new OpenAiError(500, BEGUN_ANEW, { type: 'server_error' });
    return answered;
  });
}

/** What an exchange was answered; throws what it failed with. */
export function exchangeAnswer(exchange: Exchange | null): Answered {
  if (exchange === null || exchange.reply === null)
    throw new OpenAiError(404, GONE, { code: 'response_not_found' });
  const { content, reasoning, error, usage, stopReason } = exchange.reply;
  if (error !== null) throw failureOf(error);
  return {
    text: content,
    reasoning: reasoning ?? '',
    calls: [],
    usage: usage ?? {},
    isCut: CUT.has(stopReason),
  };
}

const NO_TOOLS =
  'A chat is answered with the tools of its agent, so leave "tools" out, or have the exchange not kept.';
const NO_INSTRUCTIONS =
  'In a chat the agent has instructions of its own: leave yours out, name an agent that has them, or have the exchange not kept.';
const NO_HISTORY =
  'A new chat begins with one message of the user; to go on with it, name it in the header X-Parley-Chat, and what was said before is there.';
const TOO_LONG = `A message in a chat has ${withThousands(MAX_CONTENT_CHARACTERS)} characters at most; send less at once.`;
const BEGUN_ANEW =
  'The reply was begun anew, so what came of it here is not how it goes; read it in the chat.';
const GONE = 'The message or its reply was deleted meanwhile.';
