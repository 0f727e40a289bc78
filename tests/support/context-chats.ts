/** Chats with connected models whose context is small, over the API alone. */
import { onTestFinished } from 'vitest';
import type { ChatContext, ChatContextAnswer } from '../../shared/api/context.ts';
import type { Message } from '../../shared/api/message.ts';
import type { StartOptions } from '../../server/service.ts';
import { startModelServer, type ModelServer, type RecordedRequest } from './model-servers/model-server.ts';
import { isAside, type ScenarioName } from './model-servers/scenarios.ts';
import { startTestService, type TestAnswer, type TestService } from './service.ts';

/** A chat with a connected model. */
export interface ContextChat {
  api: TestService;
  chatId: string;
  server: ModelServer;
  /** Sends a message and waits until the chat is idle; resolves with the reply's text. */
  ask(content: string): Promise<string>;
  context(): Promise<ChatContext>;
  compact(): Promise<TestAnswer>;
  messages(): Promise<Message[]>;
  /** Requests beside the turns. */
  asides(kind: 'summary' | 'title'): RecordedRequest[];
}

/** What to start with. */
export interface ContextChatOptions {
  scenario?: ScenarioName;
  contextTokens?: number;
  start?: Partial<StartOptions>;
  /** Whether the model names the chat; off by default, so that the server only gets what a test asks for. */
  nameChats?: boolean;
}

/** Starts a service, a fake server and a chat with its model, all for one test. */
export async function startContextChat(options: ContextChatOptions = {}): Promise<ContextChat> {
  const { scenario = 'context', contextTokens, start = {}, nameChats = false } = options;
  const server = await startModelServer('openai', {
    scenario,
    ...(contextTokens !== undefined && { contextTokens }),
  });
  onTestFinished(() => server.close());
  const api = await startTestService(start);
  await api.request({ method: 'PATCH', path: '/api/v1/settings', json: { nameChats } });
  await api.post('/api/v1/connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl: server.baseUrl,
  });
  const { id: chatId } = await api.createChat();
  const path = `/api/v1/chats/${chatId}`;
  await api.request({ method: 'PATCH', path, json: { model: 'box/fake-model' } });
  return {
    api,
    chatId,
    server,
    async ask(content) {
      // Without tools, whose descriptions alone would fill a small context.
      await api.send(chatId, content, { mode: 'chat' });
      await api.settled(chatId);
      return (await api.messages(chatId)).at(-1)?.content ?? '';
    },
    context: async () => (await api.get(`${path}/context`)).json<ChatContextAnswer>().context,
    compact: () => api.post(`${path}/compact`),
    messages: () => api.messages(chatId),
    asides: (kind) => server.asked().filter(({ asked }) => asked !== null && isAside(asked, kind)),
  };
}

/** A text of about that many characters that says nothing. */
export const filler = (characters: number): string =>
  'lorem ipsum dolor '.repeat(Math.ceil(characters / 18)).slice(0, characters);
