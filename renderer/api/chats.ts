/** The part of the API that every key may use: chats, what is in them, and what is being written. */
import type { Chat, ChatList, CreateChatBody, UpdateChatBody } from '../../shared/api/chat.ts';
import type { ChatContext, ChatContextAnswer } from '../../shared/api/context.ts';
import type { Draft, DraftAnswer, DraftList } from '../../shared/api/draft.ts';
import type { Message } from '../../shared/api/message.ts';
import type { RetryBody, SendMessageBody } from '../../shared/api/message-requests.ts';
import type { SearchResults } from '../../shared/api/search.ts';
import type { Request, RequestParts } from './http.ts';

/** Which chats a list holds. */
interface ChatListFilter {
  archived?: 'true' | 'only';
  pinned?: 'true' | 'false';
  deleted?: 'true';
}

/** Chats as such. */
export interface ChatApi {
  /** One page of chats, newest first; `page` counts from 1. */
  listChats(page: number, pageSize: number, filter?: ChatListFilter): Promise<ChatList>;
  createChat(body?: CreateChatBody): Promise<Chat>;
  findChat(chatId: string): Promise<Chat>;
  /** Changes title, pin, archive and read marks, agent or model. */
  updateChat(chatId: string, body: UpdateChatBody): Promise<Chat>;
  /** Hides a chat; it can be restored. With `permanent` it is removed for good. */
  deleteChat(chatId: string, permanent?: boolean): Promise<Chat>;
  restoreChat(chatId: string): Promise<Chat>;
  /** Stops the reply under way and every waiting one of the chat. */
  stopChat(chatId: string): Promise<Chat>;
  /** How full the chat's context is. */
  findContext(chatId: string): Promise<ChatContext>;
  /** Summarises the chat's older messages for the model; it may take half a minute. */
  compactChat(chatId: string): Promise<ChatContext>;
  /** Searches the workspace's messages and titles. */
  search(words: string, limit?: number): Promise<SearchResults>;
  listDrafts(): Promise<Draft[]>;
  /** Keeps a draft; resolves with the one that counts. */
  putDraft(chatKey: string, text: string, updatedAt: string): Promise<Draft>;
}

/** Messages of a chat. */
export interface MessageApi {
  /** A chat's messages, oldest first; only those after the message `after` when it is given. */
  listMessages(chatId: string, after?: string): Promise<Message[]>;
  /** Sends a message. Repeating it with the same idempotency key never sends it twice. */
  sendMessage(chatId: string, body: SendMessageBody, idempotencyKey: string): Promise<Chat>;
  /** Sends a new version of a user message in its place. */
  editMessage(
    chatId: string,
    messageId: string,
    body: SendMessageBody,
    idempotencyKey: string,
  ): Promise<Chat>;
  /** Has a reply made anew; the chat's last when no message is named. */
  retryReply(chatId: string, body: RetryBody, idempotencyKey: string): Promise<Chat>;
  /** Chooses the version that a message belongs to. */
  showMessage(chatId: string, messageId: string): Promise<Chat>;
  deleteMessage(chatId: string, messageId: string): Promise<Chat>;
  restoreMessage(chatId: string, messageId: string): Promise<Chat>;
}

/** The service gives itself half a minute; the answer comes on top. */
const COMPACTING: RequestParts = { body: {}, timeoutMs: 45_000 };

const chatPath = (chatId: string): string => `/api/v1/chats/${encodeURIComponent(chatId)}`;
const messagePath = (chatId: string, messageId: string): string =>
  `${chatPath(chatId)}/messages/${encodeURIComponent(messageId)}`;

const inChat = async (answer: Promise<{ chat: Chat }>): Promise<Chat> => (await answer).chat;

/** The part of a client that {@link ChatApi} describes. */
export function chatApi(request: Request): ChatApi {
  return {
    listChats: (page, pageSize, filter = {}) => {
      const query = new URLSearchParams({ page: String(page), pageSize: String(pageSize), ...filter });
      return request('GET', `/api/v1/chats?${query.toString()}`);
    },
    createChat: (body = {}) => request('POST', '/api/v1/chats', { body }),
    findChat: (chatId) => inChat(request('GET', chatPath(chatId))),
    updateChat: (chatId, body) => inChat(request('PATCH', chatPath(chatId), { body })),
    deleteChat: (chatId, permanent = false) =>
      inChat(request('DELETE', `${chatPath(chatId)}${permanent ? '?permanent=true' : ''}`)),
    restoreChat: (chatId) => inChat(request('POST', `${chatPath(chatId)}/restore`, { body: {} })),
    stopChat: (chatId) => inChat(request('POST', `${chatPath(chatId)}/stop`, { body: {} })),
    findContext: async (chatId) =>
      (await request<ChatContextAnswer>('GET', `${chatPath(chatId)}/context`)).context,
    compactChat: async (chatId) =>
      (await request<ChatContextAnswer>('POST', `${chatPath(chatId)}/compact`, COMPACTING)).context,
    search: (words, limit) => {
      const query = new URLSearchParams({
        q: words,
        ...(limit === undefined ? {} : { limit: String(limit) }),
      });
      return request('GET', `/api/v1/search?${query.toString()}`);
    },
    listDrafts: async () => (await request<DraftList>('GET', '/api/v1/drafts')).drafts,
    putDraft: async (chatKey, text, updatedAt) => {
      const path = `/api/v1/drafts/${encodeURIComponent(chatKey)}`;
      return (await request<DraftAnswer>('PUT', path, { body: { text, updatedAt } })).draft;
    },
  };
}

/** The part of a client that {@link MessageApi} describes. */
export function messageApi(request: Request): MessageApi {
  const once = (body: unknown, idempotencyKey: string): RequestParts => ({
    body,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
  return {
    listMessages: async (chatId, after) => {
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
      const path = `${chatPath(chatId)}/messages${query}`;
      return (await request<{ messages: Message[] }>('GET', path)).messages;
    },
    sendMessage: (chatId, body, key) =>
      inChat(request('POST', `${chatPath(chatId)}/messages`, once(body, key))),
    editMessage: (chatId, messageId, body, key) =>
      inChat(request('POST', `${messagePath(chatId, messageId)}/edit`, once(body, key))),
    retryReply: (chatId, body, key) => inChat(request('POST', `${chatPath(chatId)}/retry`, once(body, key))),
    showMessage: (chatId, messageId) =>
      inChat(request('POST', `${messagePath(chatId, messageId)}/show`, { body: {} })),
    deleteMessage: (chatId, messageId) => inChat(request('DELETE', messagePath(chatId, messageId))),
    restoreMessage: (chatId, messageId) =>
      inChat(request('POST', `${messagePath(chatId, messageId)}/restore`, { body: {} })),
  };
}
