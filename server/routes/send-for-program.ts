/** Sends a message for a program that waits for the reply, from any endpoint: all in one transaction. */
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { OnApproval } from '../../shared/api/message.ts';
import { callerOf } from '../auth/caller.ts';
import type { ChatService } from '../chats/chat-service.ts';
import type { SendRequest } from '../chats/send-message.ts';
import { toolReachOf } from './turn-start.ts';

/** What a program sends. */
export interface ProgramMessage extends Pick<
  SendRequest,
  'content' | 'attachments' | 'mode' | 'parameters' | 'answerer' | 'after' | 'idempotencyKey' | 'echo'
> {
  /** Null: a new chat, created with the message. */
  chatId: string | null;
  workspaceId: string;
  /** `ask` unless given. */
  onApproval?: OnApproval | undefined;
}

/** A message that is on disk. */
export interface SentMessage {
  chatId: string;
  workspaceId: string;
  messageId: string;
  /** It was sent before, with the same idempotency key. */
  isRepeat: boolean;
}

/** Resolves once the message is on disk. Rejects as a send does; then no chat was created or changed. */
export async function sendForProgram(
  chats: Pick<ChatService, 'admitTo' | 'send'>,
  request: FastifyRequest,
  { chatId, onApproval, ...message }: ProgramMessage,
): Promise<SentMessage> {
  const { workspaceId, idempotencyKey } = message;
  await chats.admitTo(workspaceId, idempotencyKey !== undefined);
  const newMessageId: string = randomUUID();
  let messageId = newMessageId;
  const chat = await chats.send({
    ...message,
    chatId: chatId ?? randomUUID(),
    isNewChat: chatId === null,
    messageId: newMessageId,
    toolReach: toolReachOf(request, onApproval),
    notifies: callerOf(request.raw).notifies,
    onMessageId: (id) => (messageId = id),
  });
  return { chatId: chat.id, workspaceId, messageId, isRepeat: messageId !== newMessageId };
}
