/** User messages with their replies, for clients that wait for one answer. */
import { isUnfinished, isUnsettled } from '../../shared/choices.ts';
import type { Growth } from '../../shared/growth.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { findQuestionBefore } from '../store/branch-repository.ts';
import { findChat, findChatIn, type ChatTarget, type StoredChat } from '../store/chat-repository.ts';
import {
  findMessage,
  findReplyStanding,
  findReplyTo,
  type StoredMessage,
} from '../store/message-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { Reader, Store } from '../store/types.ts';
import { findLastQuestion, findPosition } from '../store/version-repository.ts';
import type { LiveReply } from '../turns/live-reply.ts';
import type { Processor } from '../turns/processor.ts';
import { createWatch } from './watch.ts';

/** A user message of a chat and its reply. */
export interface Exchange {
  chat: StoredChat;
  question: StoredMessage;
  /** Null: none is there yet. */
  reply: StoredMessage | null;
  /** Id of the user message before it; null: it is the first. */
  previousId: string | null;
}

/** Which exchange, and where the caller may look for it. */
export interface ExchangeTarget extends ChatTarget {
  /** Id of the user message. */
  messageId: string;
}

/** The exchanges of a store. */
export type Exchanges = ReturnType<typeof createExchanges>;

/** Creates the exchanges of a store; `onError` is called with internal errors. */
export function createExchanges({
  store,
  processor,
  onError,
}: {
  store: Store;
  processor: Pick<Processor, 'live'>;
  onError: (error: unknown) => void;
}) {
  /** The exchange as it is on disk; null: there is none. */
  const find = (target: ExchangeTarget): Promise<Exchange | null> =>
    readSettled(store, (reader) => readExchange(reader, target));

  /**
   * Resolves with the exchange once its reply is final and on disk, with null when it is deleted; rejects with the
   * signal's reason. `onGrowth` gets the whole reply so far whenever it grows; a new attempt begins anew.
   */
  const follow = async (
    target: ExchangeTarget,
    { signal, onGrowth }: { signal: AbortSignal; onGrowth: (growth: Growth) => void },
  ): Promise<Exchange | null> => {
    signal.throwIfAborted();
    const question = store.read((reader) => readExchange(reader, target))?.question;
    if (question === undefined) return null;
    const { promise, resolve, reject } = Promise.withResolvers<Exchange | null>();
    const settle = (): void => {
      find(target).then((exchange) => {
        if (exchange === null || !isUnderWay(exchange)) resolve(exchange);
      }, reject);
    };
    const watch = createWatch({
      store,
      read: () =>
        store.read((reader) => {
          const reply = findReplyStanding(reader, question);
          if (reply !== null) return reply.status;
          const isThere = findPosition(reader, question.chatId, question.id)?.deletedAt === null;
          return isThere ? findChat(reader, question.chatId)?.status : 'gone';
        }),
      onError,
    });
    let seen: LiveReply | null = null;
    let isIts = false;
    const sendGrowth = (chatId: string): void => {
      const live = chatId === target.chatId ? processor.live.get(chatId) : null;
      if (live === null) return;
      // Checked once per attempt at a reply, not for every word.
      if (live !== seen)
        isIts = live.replyId === store.read((reader) => findReplyStanding(reader, question))?.id;
      seen = live;
      if (isIts) onGrowth(live.growth);
    };
    const endings = [watch.on(settle), processor.live.onGrown(sendGrowth), () => watch.close()];
    try {
      sendGrowth(target.chatId);
      settle();
      return await unlessAborted(signal, promise);
    } finally {
      for (const end of endings) end();
    }
  };

  /** The chat's last exchange on disk; null: there is no such chat, or it has no user message. */
  const findLast = (chatId: string, workspaceId: string | null): Promise<Exchange | null> =>
    readSettled(store, (reader) => {
      const last = findLastQuestion(reader, chatId);
      return last && readExchange(reader, { chatId, workspaceId, messageId: last.id });
    });

  return { find, findLast, follow };
}

function readExchange(reader: Reader, { chatId, workspaceId, messageId }: ExchangeTarget): Exchange | null {
  const chat = findChatIn(reader, chatId, workspaceId);
  const question = findMessage(reader, chatId, messageId);
  if (chat === null || question?.role !== 'user') return null;
  return {
    chat,
    question,
    reply: findReplyTo(reader, question),
    previousId: findQuestionBefore(reader, chatId, question.seq),
  };
}

/** Whether the reply is still to come or being written. If there is none and none is due, it was deleted. */
export const isUnderWay = ({ question, reply, chat }: Exchange): boolean =>
  isUnfinished((reply ?? question).status) && isUnsettled(chat.status);
