/** Operations on a chat of tens of thousands of messages, over HTTP: each blocks everybody else for a moment at most. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { listMarks, type BranchMark } from '../../server/store/branch-repository.ts';
import { createMessage } from '../../server/store/message-repository.ts';
import { sized } from '../support/effort.ts';
import { longestBlockMs } from '../support/longest-block.ts';
import { startSharedService, type TestAnswer } from '../support/service.ts';
import { storedMessage } from '../support/stored.ts';

const MESSAGES = sized(8_000, 50_000);
const AT_ONCE = 500;
/** Several times what they take, and room for a garbage collection of everything. */
const MOST_MS = 80;
const MOST_WHILE_COPYING_MS = 300;
/** The shortest of so many measurements counts: a garbage collection hits one of them. */
const TIMES = 2;
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

/** Requests, measures and checks each; the block of each is the shortest of its runs. */
async function unblocked(works: (() => Promise<TestAnswer>)[], between = async () => {}): Promise<void> {
  const shortest = works.map(() => Infinity);
  for (let time = 0; time < TIMES; time += 1) {
    for (const [index, work] of works.entries()) {
      const blockedMs = await longestBlockMs(async () => expect((await work()).status).toBe(200));
      shortest[index] = Math.min(shortest[index] ?? 0, blockedMs);
      await between();
    }
  }
  for (const blockedMs of shortest) expect(blockedMs).toBeLessThan(MOST_MS);
}

const listed = (id = chatId): BranchMark[] =>
  api.service.store.read((reader) => listMarks(reader, id, 0, 2 * MESSAGES));

describe(`a chat of ${MESSAGES} messages`, () => {
  it('is branched without blocking others', { timeout: SLOW }, async () => {
    const last = listed().at(-1);
    let id = '';
    const blockedMs = await longestBlockMs(async () => {
      const answer = await api.post(path(`messages/${last?.id}/branch`));
      id = answer.json<{ chat: Chat }>().chat.id;
    });
    expect(blockedMs).toBeLessThan(MOST_WHILE_COPYING_MS);
    expect(listed(id)).toHaveLength(MESSAGES);
  });

  it('tells how full its context is without blocking others', { timeout: SLOW }, async () => {
    await unblocked([() => api.get(path('context'))]);
  });

  it('is sent to an event stream without blocking others', { timeout: SLOW }, async () => {
    const address = `${api.service.url}/api/v1/events?chat=${chatId}&once=true`;
    const headers = { authorization: `Bearer ${api.service.apiKey}` };
    let text = '';
    let blockedMs = Infinity;
    for (let time = 0; time < TIMES; time += 1) {
      const one = await longestBlockMs(async () => {
        text = await (await fetch(address, { headers })).text();
      });
      blockedMs = Math.min(blockedMs, one);
    }
    expect(blockedMs).toBeLessThan(MOST_MS);
    const [, data = ''] = /^event: sync\ndata: (.*)$/m.exec(text) ?? [];
    const { messages, whole } = JSON.parse(data) as { messages: Message[]; whole: boolean };
    expect(messages.map(({ id }) => id)).toEqual(listed().map(({ id }) => id));
    expect(whole).toBe(true);
  });

  it(
    'is edited and retried, and its versions chosen, without blocking others',
    { timeout: SLOW },
    async () => {
      const early = listed()[2]?.id ?? '';
      const at = path(`messages/${early}`);
      const lengths: number[] = [];
      const show = () => api.post(`${at}/show`);
      const works = [
        () => api.post(`${at}/edit`, { content: 'hello' }),
        show,
        () => api.post(path('retry'), { messageId: early }),
        show,
      ];
      await unblocked(works, async () => {
        await api.settled(chatId);
        lengths.push(listed().length);
      });
      expect(lengths).toEqual([4, MESSAGES, 4, MESSAGES, 4, MESSAGES, 4, MESSAGES]);
    },
  );

  it('loses and gets back an early message without blocking others', { timeout: SLOW }, async () => {
    const at = path(`messages/${listed()[0]?.id ?? ''}`);
    const lengths: number[] = [];
    const works = [() => api.request({ method: 'DELETE', path: at }), () => api.post(`${at}/restore`)];
    await unblocked(works, async () => void lengths.push(listed().length));
    expect(lengths).toEqual([MESSAGES - 2, MESSAGES, MESSAGES - 2, MESSAGES]);
  });

  it('is moved and found in its workspace without blocking others', { timeout: SLOW }, async () => {
    const made = await api.post('/api/v1/workspaces', { name: 'Other' });
    const { id } = made.json<{ workspace: { id: string } }>().workspace;
    const key = api.service.openSession().apiKey;
    const moveTo = (toWorkspaceId: string) => () => api.post(path('move'), { toWorkspaceId }, { key });
    await unblocked([moveTo(api.service.workspaceId), moveTo(id)]);
    const found = await api.get('/api/v1/search?q=message', { key, headers: { 'x-workspace-id': id } });
    expect(found.json<{ messages: unknown[] }>().messages.length).toBeGreaterThan(0);
  });
});
