import type { Chat, ChatList, CreateChatBody, UpdateChatBody } from '../../shared/api/chat.ts';
import type { ErrorBody } from '../../shared/api/common.ts';
import type { Draft, DraftAnswer, DraftList } from '../../shared/api/draft.ts';
import type { Message, SendMessageBody } from '../../shared/api/message.ts';
import type { SearchResults } from '../../shared/api/search.ts';
import { adminApi, type AdminApi } from './admin.ts';
import { ApiProblem, ConnectionProblem } from './problem.ts';

/** Longest wait for an answer, in milliseconds. Nothing the page asks for takes the service this long. */
const REQUEST_TIMEOUT_MS = 20_000;

/** How a request went, as far as the connection goes. */
export type Outcome = 'answered' | 'no_answer' | 'unauthorized';

/** What {@link createApiClient} needs. */
export interface ApiClientOptions {
  /** The API key of every request; a session key, as a rule. */
  apiKey: string;
  /** Asked for another key when the service does not know this one any more; null: there is none to be had. */
  renew?: () => Promise<string | null>;
  /** The workspace every request names; empty: the key is bound to one. */
  workspaceId?: string;
  /** Told how each request went, before its caller is. */
  onOutcome?: (outcome: Outcome) => void;
  /** Stands in for `fetch` in tests. */
  fetch?: typeof fetch;
}

/** Which chats a list holds. */
export interface ChatListFilter {
  archived?: 'true' | 'only';
  pinned?: 'true' | 'false';
  deleted?: 'true';
}

/**
 * The service's HTTP API, as far as the window uses it. Every method rejects with {@link ApiProblem} when the service
 * answered with an error and with {@link ConnectionProblem} when it did not answer.
 */
export interface ApiClient extends ChatApi, MessageApi, AdminApi {
  /** One request of any kind; `path` begins with `/api/v1/`. */
  request<T>(method: Method, path: string, send?: RequestParts): Promise<T>;
  /**
   * Starts a request whose answer is read as it comes (an event stream, a download), with the key and workspace. `quiet`:
   * when it fails, that says nothing of the connection.
   */
  open(path: string, init?: RequestInit, quiet?: boolean): Promise<Response>;
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
  retryReply(chatId: string, messageId: string | undefined, idempotencyKey: string): Promise<Chat>;
  /** Chooses the version that a message belongs to. */
  showMessage(chatId: string, messageId: string): Promise<Chat>;
  deleteMessage(chatId: string, messageId: string): Promise<Chat>;
  restoreMessage(chatId: string, messageId: string): Promise<Chat>;
}

const chatPath = (chatId: string): string => `/api/v1/chats/${encodeURIComponent(chatId)}`;
const messagePath = (chatId: string, messageId: string): string =>
  `${chatPath(chatId)}/messages/${encodeURIComponent(messageId)}`;

/** Makes a client of the service that the page came from. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { workspaceId = '', onOutcome } = options;
  let { apiKey } = options;
  let renewing: Promise<boolean> | null = null;
  const own: Record<string, string> = workspaceId === '' ? {} : { 'X-Workspace-Id': workspaceId };

  const report = (error: unknown): void => {
    if (error instanceof ConnectionProblem) onOutcome?.('no_answer');
    else if (error instanceof ApiProblem && error.status === 401) onOutcome?.('unauthorized');
    else onOutcome?.('answered');
  };
  /** Gets another key, once for all requests that were refused with the old one; whether there is one. */
  const renew = (refused: string): Promise<boolean> => {
    if (apiKey !== refused) return Promise.resolve(true);
    renewing ??= (options.renew?.() ?? Promise.resolve(null))
      .then((renewed) => {
        if (renewed !== null) apiKey = renewed;
        return renewed !== null;
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  };
  /** Runs a request with the key, and once more with another when the service does not know it any more. */
  const withKey = async <T>(work: (key: string) => Promise<T>): Promise<T> => {
    const key = apiKey;
    try {
      return await work(key);
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === 401 && (await renew(key)))) throw error;
      return work(apiKey);
    }
  };
  const request: Request = async <T>(method: Method, path: string, send?: RequestParts): Promise<T> => {
    try {
      const parts = { ...send, headers: { ...own, ...send?.headers } };
      const answer = await withKey((key) => requestJson<T>(method, path, key, parts, options.fetch));
      onOutcome?.('answered');
      return answer;
    } catch (error) {
      report(error);
      throw error;
    }
  };
  const open = async (path: string, init: RequestInit = {}, quiet = false): Promise<Response> => {
    try {
      const response = await withKey(async (key) => {
        const given = init.headers as Record<string, string> | undefined;
        const headers = { Authorization: `Bearer ${key}`, ...own, ...given };
        const answer = await send(path, { ...init, headers, cache: 'no-store' }, options.fetch);
        if (!answer.ok) throw problemOf(answer.status, parseJson(await answer.text()));
        return answer;
      });
      onOutcome?.('answered');
      return response;
    } catch (error) {
      if (!quiet && init.signal?.aborted !== true) report(error);
      throw error;
    }
  };
  return { request, open, ...chatApi(request), ...messageApi(request), ...adminApi(request) };
}

/** A client's way to send one request. */
export type Request = ApiClient['request'];

const inChat = async (answer: Promise<{ chat: Chat }>): Promise<Chat> => (await answer).chat;

function chatApi(request: Request): ChatApi {
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

function messageApi(request: Request): MessageApi {
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
    retryReply: (chatId, messageId, key) =>
      inChat(
        request('POST', `${chatPath(chatId)}/retry`, once(messageId === undefined ? {} : { messageId }, key)),
      ),
    showMessage: (chatId, messageId) =>
      inChat(request('POST', `${messagePath(chatId, messageId)}/show`, { body: {} })),
    deleteMessage: (chatId, messageId) => inChat(request('DELETE', messagePath(chatId, messageId))),
    restoreMessage: (chatId, messageId) =>
      inChat(request('POST', `${messagePath(chatId, messageId)}/restore`, { body: {} })),
  };
}

/** What a request sends besides the key. */
export interface RequestParts {
  body?: unknown;
  headers?: Record<string, string>;
  /** Longest wait for the answer, in milliseconds; 20 seconds unless given. */
  timeoutMs?: number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request with a key; rejects as {@link ApiClient} says. */
export async function requestJson<T>(
  method: Method,
  path: string,
  apiKey: string,
  parts: RequestParts = {},
  fetchFrom: typeof fetch = fetch,
): Promise<T> {
  const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}`, ...parts.headers };
  if (parts.body !== undefined) headers['Content-Type'] = 'application/json';
  const init: RequestInit = {
    method,
    headers,
    cache: 'no-store',
    signal: AbortSignal.timeout(parts.timeoutMs ?? REQUEST_TIMEOUT_MS),
    ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
  };
  const response = await send(path, init, fetchFrom);
  let body: unknown;
  try {
    // A body that breaks off is as good as no answer; one that isn't JSON is an answer of somebody else's.
    body = parseJson(await response.text());
  } catch (error) {
    throw new ConnectionProblem('The answer broke off.', { cause: error });
  }
  if (response.ok) return body as T;
  throw problemOf(response.status, body);
}

async function send(path: string, init: RequestInit, fetchFrom: typeof fetch = fetch): Promise<Response> {
  try {
    return await fetchFrom(path, init);
  } catch (error) {
    throw new ConnectionProblem('The service did not answer.', { cause: error });
  }
}

function problemOf(status: number, body: unknown): ApiProblem | ConnectionProblem {
  const problem = (body as Partial<ErrorBody> | null)?.error;
  if (status === 503 || problem?.code === 'shutting_down') {
    return new ConnectionProblem('The service is going away.');
  }
  return new ApiProblem(
    status,
    problem?.code ?? null,
    problem?.message ?? `HTTP ${status}`,
    problem?.details ?? [],
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
