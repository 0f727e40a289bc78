/** Operations on a chat of 50,000 messages, over HTTP: each blocks everybody else for a moment at most. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { createMessage } from '../../server/store/message-repository.ts';
import { longestBlockMs } from '../support/longest-block.ts';
import { startSharedService, type TestAnswer } from '../support/service.ts';
import { storedMessage } from '../support/stored.ts';

const MESSAGES = 50_000;
const AT_ONCE = 500;
/** Several times what they take. In one go, the quickest of them takes more. */
const MOST_MS = 80;
const SLOW = 180_000;

const api = await startSharedService();
let chatId = '';
const path = (rest: string): string => `/api/v1/chats/${chatId}/${rest}`;

beforeAll(async () => {
  const { id, workspaceId } = await api.createChat();
  chatId = id;
  let replyTo: string | null = null;
  for (let from = 0; from < MESSAGES; from += AT_ONCE) {
    await api.service.store.write((writer) => {
      for (let index = from; index < from + AT_ONCE; index += 1) {
        const message = storedMessage({
          id: randomUUID(),
          chatId: id,
          workspaceId,
          content: `message ${index}`,
          ...(replyTo !== null && { role: 'assistant', replyTo, stopReason: 'end', mode: null }),
        });
        createMessage(writer, message);
        replyTo = replyTo === null ? message.id : null;
      }
    });
  }
  // What answers need is compiled at the first.
  await api.messages(id, '?limit=1');
  await api.get(path('context'));
}, SLOW);

async function unblocked(work: () => Promise<TestAnswer>): Promise<TestAnswer> {
  let answer: TestAnswer | undefined;
  const blockedMs = await longestBlockMs(async () => {
    answer = await work();
  });
  expect(answer?.status).toBeLessThan(300);
  expect(blockedMs).toBeLessThan(MOST_MS);
  return answer as TestAnswer;
}

const firstMessages = (limit: number): Promise<Message[]> => api.messages(chatId, `?limit=${limit}`);
const count = async (id = chatId): Promise<number> => (await api.messages(id)).length;

describe('a chat of 50,000 messages', () => {
  it('is branched without blocking others', { timeout: SLOW }, async () => {
    const last = (await api.messages(chatId)).at(-1);
    const answer = await unblocked(() => api.post(path(`messages/${last?.id}/branch`)));
    expect(await count(answer.json<{ chat: Chat }>().chat.id)).toBe(MESSAGES);
  });

  it('tells how full its context is without blocking others', { timeout: SLOW }, async () => {
    await unblocked(() => api.get(path('context')));
  });

  it('is edited, and its versions chosen, without blocking others', { timeout: SLOW }, async () => {
    const [, , early] = await firstMessages(3);
    const at = path(`messages/${early?.id}`);
    await unblocked(() => api.post(`${at}/edit`, { content: 'hello' }));
    await api.settled(chatId);
    expect(await count()).toBe(4);
    await unblocked(() => api.post(`${at}/show`));
    expect(await count()).toBe(MESSAGES);
    await unblocked(() => api.post(path('retry'), { messageId: early?.id }));
    await api.settled(chatId);
    expect(await count()).toBe(4);
    await unblocked(() => api.post(`${at}/show`));
  });

  it('loses and gets back an early message without blocking others', { timeout: SLOW }, async () => {
    const [early] = await firstMessages(1);
    const at = path(`messages/${early?.id}`);
    await unblocked(() => api.request({ method: 'DELETE', path: at }));
    expect(await count()).toBe(MESSAGES - 2);
    await unblocked(() => api.post(`${at}/restore`));
    expect(await count()).toBe(MESSAGES);
  });

  it(
    'is moved to another workspace and found there, without blocking others',
    { timeout: SLOW },
    async () => {
      const made = await api.post('/api/v1/workspaces', { name: 'Other' });
      const { id } = made.json<{ workspace: { id: string } }>().workspace;
      await unblocked(() => api.post(path('move'), { toWorkspaceId: id }));
      const found = await api.get('/api/v1/search?q=message', { headers: { 'x-workspace-id': id } });
      expect(found.json<{ messages: unknown[] }>().messages.length).toBeGreaterThan(0);
      await api.post(path('move'), { toWorkspaceId: api.service.workspaceId });
    },
  );
});
