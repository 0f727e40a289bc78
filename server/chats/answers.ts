/** Remembers the answers to requests with an idempotency key: a repeat gets the first one. */
import { createHash } from 'node:crypto';
import type { Chat } from '../../shared/api/chat.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import { toChat, type ChatStanding, type StoredChat } from '../store/chat-columns.ts';
import { createAnswer, deleteOldAnswers, findAnswer } from '../store/idempotency-repository.ts';
import type { Reader, Writer } from '../store/types.ts';
import { steadyAgo, steadyNow } from './steady-time.ts';

/** How often a request also deletes expired answers, and how many: a day's answers take long. */
const CLEANING_INTERVAL_MS = 60 * 60_000;
const CLEANED_AT_ONCE = 100;

/** What is remembered of an answered request: the chat, and the id of the message it added if the client got that. */
export interface SentAnswer extends Chat {
  messageId?: string;
}

/** The same for a request that created its chat. It holds no text, since the text is to go when the chat goes. */
interface MadeChat {
  chatId: string;
  messageId: string;
}

/** Identifies a request with an idempotency key, at one time. */
interface RequestKey {
  scope: string;
  isNewChat: boolean;
  idempotencyKey: string;
  requestDigest: string;
  time: Date;
}

/** The key of a request about that chat; `fingerprint` distinguishes it from another one with the same idempotency key. */
export const keyOf = (
  chat: { id: string; workspaceId: string },
  { idempotencyKey, isNewChat = false }: { idempotencyKey: string; isNewChat?: boolean | undefined },
  fingerprint: readonly unknown[],
  time: Date,
): RequestKey => ({
  scope: isNewChat ? `new in ${chat.workspaceId}` : chat.id,
  isNewChat,
  idempotencyKey,
  requestDigest: createHash('sha256').update(JSON.stringify(fingerprint)).digest('hex'),
  time,
});

const since = (reader: Reader, { time }: RequestKey): string =>
  steadyAgo(reader, time, IDEMPOTENCY_WINDOW_MS);

/** The answers to the requests of a store. */
export function createAnswers(standing: ChatStanding) {
  let cleanedAt = 0;
  return {
    /** The first answer to the request; null: this is the first one. `find` finds a chat. Throws AppError `idempotency_conflict`. */
    recall(reader: Reader, key: RequestKey, find: (chatId: string) => StoredChat): SentAnswer | null {
      const first = findAnswer(reader, key.scope, key.idempotencyKey, since(reader, key));
      if (first === null) return null;
      if (first.requestDigest !== key.requestDigest) throw new AppError('idempotency_conflict');
      const known = JSON.parse(first.response) as SentAnswer | MadeChat;
      if (!('chatId' in known)) return known;
      return { ...toChat(find(known.chatId), standing), messageId: known.messageId };
    },
    remember(writer: Writer, key: RequestKey, answer: SentAnswer): void {
      if (Math.abs(key.time.getTime() - cleanedAt) > CLEANING_INTERVAL_MS) {
        const deleted = deleteOldAnswers(writer, since(writer, key), CLEANED_AT_ONCE);
        if (deleted < CLEANED_AT_ONCE) cleanedAt = key.time.getTime();
      }
      const { scope, idempotencyKey, requestDigest, isNewChat, time } = key;
      const made: MadeChat = { chatId: answer.id, messageId: answer.messageId ?? '' };
      const response = JSON.stringify(isNewChat ? made : answer);
      createAnswer(writer, scope, idempotencyKey, {
        requestDigest,
        response,
        createdAt: steadyNow(writer, time),
      });
    },
  };
}
