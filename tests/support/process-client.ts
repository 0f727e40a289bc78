import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { ServiceProcess } from './service-process.ts';

/** A small client of a service that runs as a process of its own. */
export interface ProcessClient {
  /** Resolves with the answer's body; rejects unless it was a success. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  chat(chatId: string): Promise<Chat>;
  messages(chatId: string): Promise<Message[]>;
}

/** A client with the local key; paths are those below `/api/v1/`. */
export function clientOf({ baseUrl, apiKey }: Pick<ServiceProcess, 'baseUrl' | 'apiKey'>): ProcessClient {
  const call: ProcessClient['call'] = async (method, path, body) => {
    const response = await fetch(`${baseUrl}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as never;
  };
  return {
    call,
    chat: async (chatId) => (await call<{ chat: Chat }>('GET', `chats/${chatId}`)).chat,
    messages: async (chatId) =>
      (await call<{ messages: Message[] }>('GET', `chats/${chatId}/messages`)).messages,
  };
}
