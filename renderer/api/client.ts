import type { Chat } from '../../shared/api/chat.ts';
import type { ErrorBody } from '../../shared/api/common.ts';
import type { Message, SendMessageBody } from '../../shared/api/message.ts';
import { ApiProblem, ConnectionProblem } from './problem.ts';

/** Longest wait for an answer, in milliseconds. Nothing the page asks for takes the service this long. */
const REQUEST_TIMEOUT_MS = 20_000;

/** How a request went, as far as the connection goes. */
export type Outcome = 'answered' | 'no_answer' | 'unauthorized';

/** What {@link createApiClient} needs. */
export interface ApiClientOptions {
  /** The API key of every request; a session key, as a rule. */
  apiKey: string;
  /** Told how each request went, before its caller is. */
  onOutcome?: (outcome: Outcome) => void;
  /** Stands in for `fetch` in tests. */
  fetch?: typeof fetch;
}

/**
 * The service's HTTP API, as far as the page uses it. Every method rejects with {@link ApiProblem} when the service
 * answered with an error and with {@link ConnectionProblem} when it did not answer.
 */
export interface ApiClient {
  /** One page of chats, newest first; `page` counts from 1. */
  listChats(page: number, pageSize: number): Promise<{ data: Chat[]; total: number }>;
  createChat(): Promise<Chat>;
  findChat(chatId: string): Promise<Chat>;
  /** A chat's messages, oldest first; only those after the message `after` when it is given. */
  listMessages(chatId: string, after?: string): Promise<Message[]>;
  /** Sends a message. Repeating it with the same idempotency key never sends it twice. */
  sendMessage(chatId: string, body: SendMessageBody, idempotencyKey: string): Promise<Chat>;
  /** Stops the reply under way and every waiting one of the chat. */
  stopChat(chatId: string): Promise<Chat>;
}

const chatPath = (chatId: string): string => `/api/v1/chats/${encodeURIComponent(chatId)}`;

/** Makes a client of the service that the page came from. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const request = async <T>(method: 'GET' | 'POST', path: string, send?: RequestParts): Promise<T> => {
    try {
      const answer = await requestJson<T>(method, path, options.apiKey, send, options.fetch);
      options.onOutcome?.('answered');
      return answer;
    } catch (error) {
      if (error instanceof ConnectionProblem) options.onOutcome?.('no_answer');
      else if (error instanceof ApiProblem && error.status === 401) options.onOutcome?.('unauthorized');
      else options.onOutcome?.('answered');
      throw error;
    }
  };

  return {
    listChats: (page, pageSize) => request('GET', `/api/v1/chats?page=${page}&pageSize=${pageSize}`),
    createChat: () => request('POST', '/api/v1/chats', { body: {} }),
    findChat: async (chatId) => (await request<{ chat: Chat }>('GET', chatPath(chatId))).chat,
    listMessages: async (chatId, after) => {
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
      const path = `${chatPath(chatId)}/messages${query}`;
      return (await request<{ messages: Message[] }>('GET', path)).messages;
    },
    sendMessage: async (chatId, body, idempotencyKey) => {
      const path = `${chatPath(chatId)}/messages`;
      const headers = { 'Idempotency-Key': idempotencyKey };
      return (await request<{ chat: Chat }>('POST', path, { body, headers })).chat;
    },
    stopChat: async (chatId) =>
      (await request<{ chat: Chat }>('POST', `${chatPath(chatId)}/stop`, { body: {} })).chat,
  };
}

interface RequestParts {
  body: unknown;
  headers?: Record<string, string>;
}

/** One request with a key; rejects as {@link ApiClient} says. */
export async function requestJson<T>(
  method: 'GET' | 'POST',
  path: string,
  apiKey: string,
  send?: RequestParts,
  fetchFrom: typeof fetch = fetch,
): Promise<T> {
  const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}`, ...send?.headers };
  if (send) headers['Content-Type'] = 'application/json';
  let response: Response;
  let body: unknown;
  try {
    response = await fetchFrom(path, {
      method,
      headers,
      cache: 'no-store',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(send && { body: JSON.stringify(send.body) }),
    });
    // A body that breaks off is as good as no answer; one that isn't JSON is an answer of somebody else's.
    const text = await response.text();
    body = parseJson(text);
  } catch (error) {
    throw new ConnectionProblem('The service did not answer.', { cause: error });
  }
  if (response.ok) return body as T;
  const problem = (body as Partial<ErrorBody> | null)?.error;
  if (response.status === 503 || problem?.code === 'shutting_down') {
    throw new ConnectionProblem('The service is going away.');
  }
  throw new ApiProblem(response.status, problem?.code ?? null, problem?.message ?? `HTTP ${response.status}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
