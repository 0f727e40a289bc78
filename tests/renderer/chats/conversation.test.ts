import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followEvents } from '../../../renderer/api/events.ts';
import { ApiProblem, ConnectionProblem } from '../../../renderer/api/problem.ts';
import { Conversation } from '../../../renderer/chats/conversation.svelte.ts';
import { createWorkspaceStream, type WorkspaceStream } from '../../../renderer/chats/workspace-stream.ts';
import type { Chat } from '../../../shared/api/chat.ts';
import type { Message } from '../../../shared/api/message.ts';
import type { ChatListEvent, WorkspaceEvent } from '../../../shared/api/event.ts';
import { aChat, aMessage } from '../support/conversations.ts';

/** A moment in which all that is under way comes about, a frame included. */
const A_MOMENT_MS = 250;
const pass = (ms = A_MOMENT_MS): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

let page: EventTarget & { hidden: boolean };
let lockedBy: Map<string, unknown>;
let open: { close(): void }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  lockedBy = new Map();
  vi.stubGlobal('document', page);
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => clearTimeout(id));
  vi.stubGlobal('navigator', { locks: { request: requestLock } });
});
afterEach(() => {
  for (const each of open) each.close();
  open = [];
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function requestLock(
  name: string,
  _options: unknown,
  work: (lock: object | null) => Promise<void> | undefined,
): Promise<void> {
  await Promise.resolve();
  if (lockedBy.has(name)) return work(null);
  lockedBy.set(name, {});
  await work({});
  lockedBy.delete(name);
}

/** The service, as far as one chat goes. */
function createService() {
  const wires = new Set<ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>>();
  const text = (event: WorkspaceEvent, id: string): Uint8Array<ArrayBuffer> => {
    const { type, ...rest } = event;
    return new TextEncoder().encode(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(rest)}\n\n`);
  };
  const service = {
    chat: aChat(),
    messages: [] as Message[],
    /** What comes of opening a stream: that, an answer that refuses one, or nothing. */
    stream: 'there' as 'there' | 'refused' | 'away',
    isDown: false,
    /** Of all streams. */
    cursors: [] as string[],
    paths: [] as string[],
    /** The cursors with which it was asked how things stand. */
    askedFrom: [] as string[],
    get asked() {
      return service.askedFrom.length;
    },
    get streams() {
      return wires.size;
    },
    tell(event: WorkspaceEvent, id = 'cursor') {
      for (const wire of wires) wire.enqueue(text(event, id));
    },
    cut() {
      for (const wire of wires) wire.close();
      wires.clear();
    },
    /** Changes what is asked for. */
    put(chat: Partial<Chat>, ...messages: Message[]) {
      service.chat = { ...service.chat, ...chat, updatedAt: new Date().toISOString() };
      service.messages = messages;
    },
    api: {
      stopChat: () => Promise.resolve(service.chat),
      open: async (path: string, init: RequestInit) => {
        const isOnce = path.includes('once=true');
        const cursor = (init.headers as Record<string, string>)['Last-Event-ID'] ?? '';
        if (isOnce) service.askedFrom.push(cursor);
        if (service.isDown || (service.stream === 'away' && !isOnce)) throw new ConnectionProblem('Away.');
        if (service.stream === 'refused' && !isOnce) {
          throw new ApiProblem(429, 'too_many_requests', 'Too many.');
        }
        const { chat, messages } = service;
        const now = text({ type: 'sync', chat, messages, whole: true }, 'first');
        if (isOnce) return new Response(now);
        service.paths.push(path);
        service.cursors.push(cursor);
        return new Response(
          new ReadableStream<Uint8Array<ArrayBuffer>>({
            start(wire) {
              wires.add(wire);
              init.signal?.addEventListener('abort', () => {
                if (wires.delete(wire)) wire.error(new DOMException('Aborted.', 'AbortError'));
              });
              wire.enqueue(now);
            },
          }),
        );
      },
    },
  };
  return service;
}

function openChat(service: ReturnType<typeof createService>, isHeld: () => boolean = () => false) {
  const replies: string[] = [];
  const chats: Chat[] = [];
  const listed: ChatListEvent[] = [];
  const stream: WorkspaceStream = createWorkspaceStream({
    follow: (options) => followEvents(service.api, options),
    onEvent: (event) => {
      if (event.type === 'relist' || event.type === 'chats' || event.type === 'queue') listed.push(event);
      else if (event.type !== 'lists') conversation.take(event);
    },
    isBusy: () => conversation.working,
  });
  const conversation: Conversation = new Conversation('chat', 'chat', {
    api: service.api,
    stream,
    onChat: (chat) => chats.push(chat),
    onReply: ({ id }) => replies.push(id),
    isHeld,
  });
  stream.follow('chat');
  const close = (): void => {
    conversation.close();
    stream.close();
  };
  open.push({ close });
  const ids = (): string[] => conversation.messages.map(({ id }) => id);
  return { conversation, stream, listed, close, replies, chats, ids };
}

const growing = (content: string): Message => aMessage('a1', { status: 'streaming', content });

test('a chat is followed, with nothing asked for', async () => {
  const service = createService();
  service.put({}, aMessage('u1'), aMessage('a1'));
  const { conversation, replies, chats, ids } = openChat(service);
  expect(conversation.loaded).toBe(false);
  await pass();
  expect([conversation.loaded, ids()]).toEqual([true, ['u1', 'a1']]);
  const [first] = conversation.messages;

  service.tell({ type: 'chat', chat: aChat({ status: 'processing' }) });
  service.tell({ type: 'message', message: aMessage('u2') });
  service.tell({ type: 'message', message: aMessage('a2', { status: 'streaming', content: 'Hel' }) });
  service.tell({ type: 'delta', messageId: 'a2', offset: 3, text: 'lo' });
  await pass();
  expect(conversation.working).toBe(true);
  expect(conversation.messages[3]?.content).toBe('Hello');
  expect(conversation.messages[0]).toBe(first);
  expect(replies).toEqual([]);
  service.tell({ type: 'message', message: aMessage('a2') });
  service.tell({ type: 'chat', chat: aChat() });
  await pass();
  expect(replies).toEqual(['a2']);
  expect(conversation.working).toBe(false);
  expect(chats.at(-1)?.status).toBe('idle');
  expect(service.asked).toBe(0);
});

test('what comes within a frame is shown at once', async () => {
  const service = createService();
  service.put({ status: 'processing' }, aMessage('u1'), growing(''));
  const { conversation } = openChat(service);
  await pass();
  for (let index = 0; index < 5; index += 1)
    service.tell({ type: 'delta', messageId: 'a1', offset: index, text: 'x' });
  await pass(1);
  expect(conversation.messages[1]?.content).toBe('');
  await pass(20);
  expect(conversation.messages[1]?.content).toBe('xxxxx');
});

test.each(['refused', 'away'] as const)(
  'where a stream is %s the chat is asked for, until there is one',
  async (how) => {
    const service = createService();
    service.stream = how;
    service.put({ status: 'processing' }, aMessage('u1'), growing('Hel'));
    const { conversation, replies } = openChat(service);
    await pass(1_000);
    expect(conversation.messages[1]?.content).toBe('Hel');
    service.put({ status: 'idle' }, aMessage('u1'), aMessage('a1'));
    await pass(1_500);
    expect([conversation.working, conversation.messages[1]?.status]).toEqual([false, 'complete']);
    expect(replies).toEqual(['a1']);

    service.stream = 'there';
    await pass(15_000);
    expect(service.streams).toBe(1);
    const asked = service.asked;
    service.tell({
      type: 'chat',
      chat: aChat({ status: 'processing', updatedAt: new Date().toISOString() }),
    });
    await pass(3_000);
    expect([conversation.working, service.asked]).toEqual([true, asked]);
  },
);

test('while other tabs have all the streams the chat is asked for, and followed once one is free', async () => {
  const service = createService();
  for (const slot of [1, 2, 3]) lockedBy.set(`parley.stream.${slot}`, {});
  service.put({ status: 'processing' }, aMessage('u1'), growing('Hel'));
  const { conversation, close } = openChat(service);
  await pass(1_000);
  expect([conversation.messages[1]?.content, service.streams]).toEqual(['Hel', 0]);
  lockedBy.delete('parley.stream.2');
  await pass(15_000);
  expect(service.streams).toBe(1);
  close();
  await pass();
  expect([service.streams, lockedBy.has('parley.stream.2')]).toEqual([0, false]);
});

test('a stream that breaks off goes on where it was, and what it held is there meanwhile', async () => {
  const service = createService();
  service.put({}, aMessage('u1'), aMessage('a1'));
  const { conversation, ids } = openChat(service);
  await pass();
  service.tell({ type: 'message', message: aMessage('u2') }, 'further');
  service.cut();
  await pass(0);
  expect(ids().slice(0, 2)).toEqual(['u1', 'a1']);
  service.put({}, aMessage('u1'), aMessage('a1'), aMessage('u2'), aMessage('a2'));
  await pass(2_000);
  expect(ids()).toEqual(['u1', 'a1', 'u2', 'a2']);
  expect([service.cursors[0], service.askedFrom[0]]).toEqual(['', 'further']);
  expect(conversation.missing).toBe(false);
});

test('a service that ends every stream at once is not asked for more and more', async () => {
  const service = createService();
  openChat(service);
  for (let index = 0; index < 100; index += 1) {
    await pass(50);
    service.cut();
  }
  expect(service.cursors.length).toBeLessThan(6);
});

test('a stream that is silent is taken for dead', async () => {
  const service = createService();
  openChat(service);
  await pass();
  expect(service.cursors).toHaveLength(1);
  await pass(24_000);
  expect(service.cursors).toHaveLength(1);
  await pass(3_000);
  expect(service.cursors).toHaveLength(2);
  expect(service.streams).toBe(1);
});

test('a page that is left gives its stream up and asks slowly; seen again, it follows', async () => {
  const service = createService();
  service.put({ status: 'processing' }, aMessage('u1'), growing('Hel'));
  const { conversation } = openChat(service);
  await pass();
  page.hidden = true;
  page.dispatchEvent(new Event('visibilitychange'));
  await pass(9_000);
  expect(service.streams).toBe(1);
  await pass(2_000);
  expect([service.streams, lockedBy.size]).toEqual([0, 0]);
  const asked = service.asked;
  await pass(9_000);
  expect(service.asked - asked).toBeLessThanOrEqual(3);
  service.put({ status: 'idle' }, aMessage('u1'), aMessage('a1'));
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await pass();
  expect([service.streams, conversation.working]).toEqual([1, false]);
});

test('a message that is on its way is not shown twice, nor is it missing in between', async () => {
  const service = createService();
  service.put({}, aMessage('u1'), aMessage('a1'));
  const outgoing = { held: false };
  const { conversation, ids } = openChat(service, () => outgoing.held);
  await pass();
  outgoing.held = true;
  service.put({ status: 'pending' }, aMessage('u1'), aMessage('a1'), aMessage('u2'));
  service.tell({ type: 'message', message: aMessage('u2') });
  await pass();
  expect(ids()).toEqual(['u1', 'a1']);
  service.tell({ type: 'chat', chat: service.chat });
  await Promise.all([conversation.untilCaughtUp(service.chat), pass()]);
  expect(ids()).toEqual(['u1', 'a1', 'u2']);
  expect(conversation.working).toBe(true);
});

test('what an action is answered with counts at once', async () => {
  const service = createService();
  service.put({}, aMessage('u1'), aMessage('a1'));
  const { conversation } = openChat(service);
  await pass();
  vi.setSystemTime(Date.now() + 1_000);
  conversation.note(aChat({ status: 'pending', updatedAt: new Date().toISOString() }));
  expect(conversation.working).toBe(true);
  conversation.note(aChat({ id: 'other', status: 'idle', updatedAt: new Date().toISOString() }));
  expect(conversation.working).toBe(true);
});

test('a chat that was deleted is missing, and the stream goes on until it is back', async () => {
  const service = createService();
  service.put({ status: 'processing' }, aMessage('u1'), growing('Hel'));
  const { conversation, ids, replies } = openChat(service);
  await pass();
  service.tell({ type: 'gone' });
  await pass(5_000);
  expect([conversation.missing, service.streams, service.asked]).toEqual([true, 1, 0]);
  expect([conversation.working, conversation.messages]).toEqual([false, []]);
  service.put({ status: 'stopped' }, aMessage('u1'), aMessage('a1'));
  service.cut();
  await pass(1_000);
  expect([conversation.missing, ids()]).toEqual([false, ['u1', 'a1']]);
  expect(replies).toEqual([]);
});

test('a service that went away is followed again as soon as it answers', async () => {
  const service = createService();
  service.put({ status: 'processing' }, aMessage('u1'), growing('Hel'));
  const { conversation, replies } = openChat(service);
  await pass();
  service.isDown = true;
  service.cut();
  await pass(30_000);
  service.isDown = false;
  service.put({ status: 'idle' }, aMessage('u1'), aMessage('a1'));
  await pass(5_000);
  expect([service.streams, conversation.working, replies]).toEqual([1, false, ['a1']]);
});

test('an edit is found by asking where no stream tells of it', async () => {
  const service = createService();
  service.stream = 'refused';
  service.put({}, aMessage('u1'), aMessage('a1'));
  const { ids } = openChat(service);
  await pass();
  vi.setSystemTime(Date.now() + 1_000);
  service.put({ status: 'pending' }, aMessage('u2'));
  await pass(2_500);
  expect(ids()).toEqual(['u2']);
});

test('what the service has answered is waited for, also while it can’t be reached', async () => {
  const service = createService();
  service.put({}, aMessage('u1'), aMessage('a1'));
  const { conversation, ids } = openChat(service, () => true);
  await pass();
  service.isDown = true;
  service.cut();
  await pass(1_000);
  service.put({ status: 'pending' }, aMessage('u1'), aMessage('a1'), aMessage('u2'));
  let isCaughtUp = false;
  void conversation.untilCaughtUp(service.chat).then(() => (isCaughtUp = true));
  await pass(30_000);
  expect([isCaughtUp, ids()]).toEqual([false, []]);
  service.isDown = false;
  await pass(5_000);
  expect([isCaughtUp, ids()]).toEqual([true, ['u1', 'a1', 'u2']]);
});

test('with another chat the list goes on where it was, and the chat begins anew', async () => {
  const service = createService();
  const { stream, listed } = openChat(service);
  await pass();
  service.tell({ type: 'relist' }, 'start.7/m1.0');
  await pass();
  stream.follow('other');
  await pass();
  stream.follow(null);
  await pass();
  expect(listed).toEqual([{ type: 'relist' }]);
  expect(service.cursors).toEqual(['', 'start.7', 'first']);
  expect(service.paths).toEqual(['/api/v1/events?chat=chat', '/api/v1/events?chat=other', '/api/v1/events?']);
  expect(service.streams).toBe(1);
});

test('a tab that nothing is to be told holds no stream and asks nothing', async () => {
  const service = createService();
  const { stream } = openChat(service);
  await pass();
  stream.stop();
  await pass(60_000);
  stream.check();
  await pass();
  expect([service.streams, lockedBy.size, service.asked]).toEqual([0, 0, 0]);
});
