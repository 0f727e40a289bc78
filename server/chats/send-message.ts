/** Sending, as one transaction: the hot path of the service, so it runs as few statements as it can. */
import { createHash } from 'node:crypto';
import type { Chat } from '../../shared/api/chat.ts';
import { IDEMPOTENCY_WINDOW_MS, MAX_WAITING_MESSAGES } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import { nextState } from '../processor/transitions.ts';
import { findChat, updateChatForSend, type StoredChat } from '../store/chat-repository.ts';
import { createAnswer, deleteOldAnswers, findAnswer } from '../store/idempotency-repository.ts';
import { countWaitingMessages, createMessage } from '../store/message-repository.ts';
import type { Writer } from '../store/types.ts';
import { toChat } from './api-objects.ts';
import type { ChatServiceDeps, SendRequest } from './chat-service.ts';
import { titleFrom } from './titles.ts';

/** Remembered answers that have run out are deleted so often, by a send that adds one. */
const CLEANING_INTERVAL_MS = 60 * 60_000;

/** Sends messages. */
export interface Sender {
  /** The transaction of one send: the chat as the client gets it, and whether it was answered before. */
  write(writer: Writer, request: SendRequest): { chat: Chat; isRepeat: boolean };
  /** A transaction was lost: what was counted since is no longer so. */
  forgetCounts(): void;
}

/** A sender for the store that its transactions run in. */
export function createSender({ processor, clock, newId }: Omit<ChatServiceDeps, 'store'>): Sender {
  /**
   * For each workspace a number that its waiting messages don't exceed: an exact count, and each send since. Only when
   * that reaches the limit is counted again.
   */
  const waitingAtMost = new Map<string, number>();
  let cleanedAt = 0;

  function write(writer: Writer, request: SendRequest): { chat: Chat; isRepeat: boolean } {
    const stored = findChat(writer, request.chatId);
    if (stored === null || (request.workspaceId !== null && stored.workspaceId !== request.workspaceId)) {
      throw new AppError('chat_not_found');
    }
    const time = clock();
    const now = time.toISOString();
    const { idempotencyKey } = request;
    if (idempotencyKey === undefined) return { chat: append(writer, stored, request, now), isRepeat: false };

    const since = new Date(time.getTime() - IDEMPOTENCY_WINDOW_MS).toISOString();
    const requestDigest = digest(request);
    const answer = findAnswer(writer, stored.id, idempotencyKey, since);
    if (answer !== null) {
      if (answer.requestDigest !== requestDigest) throw new AppError('idempotency_conflict');
      return { chat: JSON.parse(answer.response) as Chat, isRepeat: true };
    }
    const chat = append(writer, stored, request, now);
    if (time.getTime() - cleanedAt > CLEANING_INTERVAL_MS) {
      cleanedAt = time.getTime();
      deleteOldAnswers(writer, since);
    }
    createAnswer(writer, stored.id, idempotencyKey, {
      requestDigest,
      response: JSON.stringify(chat),
      createdAt: now,
    });
    return { chat, isRepeat: false };
  }

  function append(writer: Writer, chat: StoredChat, request: SendRequest, now: string): Chat {
    makeRoom(writer, chat.workspaceId);
    createMessage(writer, {
      id: newId(),
      chatId: chat.id,
      workspaceId: chat.workspaceId,
      role: 'user',
      content: request.content,
      status: 'pending',
      mode: request.mode,
      model: null,
      steps: [],
      error: null,
      usage: null,
      stopReason: null,
      replyTo: null,
      createdAt: now,
    });
    // A send applies to every state, and changes the status alone: a turn under way stays as it is.
    const state = nextState(
      { status: chat.status, attempts: chat.attempts, waiting: 0, unfinished: false },
      'send',
    );
    chat.status = state?.status ?? chat.status;
    chat.updatedAt = now;
    if (chat.titleSource === 'default') {
      chat.title = titleFrom(request.content);
      chat.titleSource = 'message';
    }
    updateChatForSend(writer, chat);
    return toChat(chat, (chatId) => processor.queuePosition(chatId));
  }

  function makeRoom(writer: Writer, workspaceId: string): void {
    let waiting = waitingAtMost.get(workspaceId) ?? MAX_WAITING_MESSAGES;
    if (waiting >= MAX_WAITING_MESSAGES) {
      waiting = countWaitingMessages(writer, workspaceId, MAX_WAITING_MESSAGES);
      if (waiting >= MAX_WAITING_MESSAGES)
        throw new AppError('queue_full', undefined, { retryAfterSeconds: 1 });
    }
    waitingAtMost.set(workspaceId, waiting + 1);
  }

  return { write, forgetCounts: () => waitingAtMost.clear() };
}

/** Tells one send from another: by what is said and how it is to be answered. */
const digest = ({ content, mode }: SendRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([mode, content]))
    .digest('hex');
