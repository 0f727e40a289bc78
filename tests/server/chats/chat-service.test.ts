import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Value } from 'typebox/value';
import { type Message } from '../../../shared/api/message.ts';
import { MessageList } from '../../../shared/api/message-requests.ts';
import type { MessageListQuery } from '../../../server/chats/chat-service.ts';
import { IDEMPOTENCY_WINDOW_MS, MAX_WAITING_MESSAGES } from '../../../shared/limits.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import { createWorkspace } from '../../../server/store/workspace-repository.ts';
import { recordClock } from '../../../server/chats/steady-time.ts';
import { recordDays } from '../../support/record-days.ts';
import { collect } from '../../support/collect.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';
import { storedMessage } from '../../support/stored.ts';

let processing: Processing;
let time: number;
const clock = (): Date => new Date((time += 1));

beforeEach(async () => {
  time = Date.parse('2026-11-20T12:00:00.000Z');
  processing = await startProcessing({ clock });
});
afterEach(async () => {
  expect(processing.life.errors).toEqual([]);
  await processing.remove();
});

/** The chat's messages as a client gets them; what doesn't fit the API's schema fails. */
async function listed(chatId: string, query: MessageListQuery = {}): Promise<Message[]> {
  const reported = await processing.life.chats.messagesAsJson(chatId, WORKSPACE, query);
  const json =
    typeof reported === 'string' || reported === null ? reported : (await collect(reported)).join('');
  return Value.Parse(MessageList, { messages: JSON.parse(json ?? 'null') as unknown }).messages;
}

describe('a new chat', () => {
  test('is idle, has the default title and no optional fields', async () => {
    const chat = await processing.life.chats.create({ workspaceId: WORKSPACE, agentType: 'my-agent_1' });
    expect(chat).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      title: 'New chat',
      status: 'idle',
      model: 'offline-assistant',
      createdAt: '2026-11-20T12:00:00.001Z',
      updatedAt: '2026-11-20T12:00:00.001Z',
      workspaceId: WORKSPACE,
      agentType: 'my-agent_1',
      pinned: false,
      archived: false,
    });
    expect(await processing.life.chats.find(chat.id, WORKSPACE)).toEqual(chat);
  });

  test('is not there for another workspace', async () => {
    const chatId = await processing.createChat();
    const { chats } = processing.life;
    expect(await chats.find(chatId, 'other')).toBeNull();
    expect(await chats.messagesAsJson(chatId, 'other')).toBeNull();
    expect(await chats.stop(chatId, 'other')).toBeNull();
    expect((await chats.find(chatId, null))?.id).toBe(chatId);
    const sending = chats.send({ chatId, workspaceId: 'other', content: 'x', mode: 'agent' });
    await expect(sending).rejects.toMatchObject({ code: 'chat_not_found' });
    expect(processing.messages(chatId)).toEqual([]);
  });
});

describe('a list of chats', () => {
  test('comes newest change first, in pages, of one workspace and agent type', async () => {
    const { chats } = processing.life;
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const agentType = index === 4 ? 'other' : 'orchestrator';
      ids.push((await chats.create({ workspaceId: WORKSPACE, agentType })).id);
    }
    await chats.create({ workspaceId: 'elsewhere', agentType: 'orchestrator' });
    processing.life.runtime.onTurn = echo;
    await processing.send(ids[0] ?? '', 'hello');
    await processing.untilAtRest(ids[0] ?? '');
    const all = {
      workspaceId: WORKSPACE,
      archived: 'without' as const,
      deleted: false,
      page: 1,
      pageSize: 20,
    };
    const list = async (query: object) => {
      const { data, total } = await chats.list({ ...all, ...query });
      return { at: data.map(({ id }) => ids.indexOf(id)), total };
    };
    expect(await list({})).toEqual({ at: [0, 4, 3, 2, 1], total: 5 });
    expect(await list({ page: 2, pageSize: 2 })).toEqual({ at: [3, 2], total: 5 });
    expect(await list({ page: 9 })).toEqual({ at: [], total: 5 });
    expect(await list({ agentType: 'other' })).toEqual({ at: [4], total: 1 });
    await processing.life.store.write((writer) =>
      writer.run('UPDATE chats SET archived = 1 WHERE id = ?', [ids[3] ?? '']),
    );
    expect(await list({})).toEqual({ at: [0, 4, 2, 1], total: 4 });
    expect(await list({ archived: 'with' })).toEqual({ at: [0, 4, 3, 2, 1], total: 5 });
  });
});

describe('the messages of a chat', () => {
  test('come oldest first, without fields that say nothing', async () => {
    processing.life.runtime.onTurn = (turn) => {
      turn.stream('', [{ id: 's1', tool: 'clock', status: 'done', input: {}, output: 12 }]);
      echo(turn);
    };
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    await processing.untilAtRest(chatId);
    const messages = await listed(chatId);
    expect(messages).toEqual([
      {
        id: expect.any(String) as string,
        role: 'user',
        content: 'hello',
        status: 'complete',
        mode: 'agent',
        createdAt: expect.any(String) as string,
      },
      {
        id: expect.any(String) as string,
        role: 'assistant',
        content: 'Re: hello',
        status: 'complete',
        model: 'offline-assistant',
        steps: [{ id: 's1', tool: 'clock', status: 'done', input: {}, output: 12 }],
        usage: { inputTokens: 1, outputTokens: 2 },
        stopReason: 'end',
        replyTo: messages[0]?.id,
        createdAt: expect.any(String) as string,
      },
    ]);
  });

  test('can be asked for from one on, and a few at a time', async () => {
    processing.life.runtime.onTurn = echo;
    const chatId = await processing.createChat();
    for (const content of ['a', 'b']) {
      await processing.send(chatId, content);
      await processing.untilAtRest(chatId);
    }
    const { chats } = processing.life;
    const contents = async (query: object) => (await listed(chatId, query)).map(({ content }) => content);
    const first = processing.messages(chatId)[0]?.id;
    expect(await contents({})).toEqual(['a', 'Re: a', 'b', 'Re: b']);
    expect(await contents({ after: first })).toEqual(['Re: a', 'b', 'Re: b']);
    expect(await contents({ after: first, limit: 1 })).toEqual(['Re: a']);
    await expect(contents({ after: 'nothing' })).rejects.toMatchObject({ code: 'message_not_found' });
    const other = await processing.createChat();
    await expect(chats.messagesAsJson(other, null, { after: first ?? '' })).rejects.toMatchObject({
      code: 'message_not_found',
    });
  });
});

describe('a send', () => {
  test('answers with the chat pending, its title and its place', async () => {
    const chatId = await processing.createChat();
    const chat = await processing.send(chatId, '# What is **7 × 6**?\nTell me.');
    expect(chat).toMatchObject({ status: 'pending', title: 'What is 7 × 6?', queuePosition: 1 });
    expect(chat.updatedAt > chat.createdAt).toBe(true);
    const turn = await processing.life.runtime.turnOf(chatId);
    expect(await processing.life.chats.find(chatId, null)).toMatchObject({
      status: 'processing',
      queuePosition: 0,
      lastProgressAt: expect.any(String) as string,
    });
    turn.reply();
    await processing.untilAtRest(chatId);
    const second = await processing.send(chatId, 'Something else');
    expect(second.title).toBe('What is 7 × 6?');
  });

  test('is on disk when it is answered', async () => {
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    await processing.crash();
    expect(processing.messages(chatId)[0]?.content).toBe('hello');
  });

  test('keeps every character, odd ones too', async () => {
    const chatId = await processing.createChat();
    const content = 'nul \0, half \ud800 a pair, 👨‍👩‍👧 and\r\nlines';
    await processing.send(chatId, content);
    expect((await listed(chatId))[0]?.content).toBe(content);
  });

  test('to no chat is refused', async () => {
    await expect(processing.send('nobody', 'x')).rejects.toMatchObject({ code: 'chat_not_found' });
  });

  test('is refused when a thousand messages wait in the workspace, until there is room', async () => {
    const chatId = await processing.createChat();
    await processing.life.store.write((writer) => {
      createWorkspace(writer, { id: 'other', name: 'Other', createdAt: '' });
      for (let index = 0; index < MAX_WAITING_MESSAGES - 1; index += 1) {
        createMessage(
          writer,
          storedMessage({ workspaceId: WORKSPACE, chatId: 'a chat left alone', status: 'pending' }),
        );
      }
    });
    await processing.send(chatId, 'the thousandth');
    const turn = await processing.life.runtime.turnOf(chatId);
    await processing.send(chatId, 'the thousandth again, since a worker took the one before');
    await expect(processing.send(chatId, 'too many')).rejects.toMatchObject({ code: 'queue_full' });
    const other = (await processing.life.chats.create({ workspaceId: 'other', agentType: 'a' })).id;
    const there = { chatId: other, workspaceId: 'other', content: 'elsewhere', mode: 'chat' as const };
    expect((await processing.life.chats.send(there)).status).toBe('pending');
    turn.reply();
    await processing.life.runtime.turnOf(other);
    await processing.until(() => processing.life.runtime.turns.length === 3);
    expect((await processing.send(chatId, 'room again')).status).toBe('pending');
  });
});

describe('a send with an idempotency key', () => {
  test('that is repeated gets the first answer and adds no message', async () => {
    processing.life.runtime.onTurn = echo;
    const chatId = await processing.createChat();
    const first = await processing.send(chatId, 'hello', 'key');
    await processing.untilAtRest(chatId);
    expect(await processing.send(chatId, 'hello', 'key')).toEqual(first);
    await processing.restart();
    expect(await processing.send(chatId, 'hello', 'key')).toEqual(first);
    expect(processing.messages(chatId)).toHaveLength(2);
    expect(processing.chat(chatId).status).toBe('idle');
  });

  test('that is sent many times at once gives one message and one answer', async () => {
    const chatId = await processing.createChat();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => processing.send(chatId, 'hello', 'key')),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(processing.messages(chatId).filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('that was used for another message is refused', async () => {
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello', 'key');
    await expect(processing.send(chatId, 'other', 'key')).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
    const otherMode = {
      chatId,
      workspaceId: null,
      content: 'hello',
      mode: 'chat' as const,
      idempotencyKey: 'key',
    };
    await expect(processing.life.chats.send(otherMode)).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
    const other = await processing.createChat();
    expect((await processing.send(other, 'other', 'key')).status).toBe('pending');
    expect(processing.messages(chatId).filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('is a new message after 24 hours, and old answers are not kept', async () => {
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello', 'key');
    await processing.send(chatId, 'hello', 'old key');
    await processing.life.store.write((writer) => recordDays(writer, 1, time + IDEMPOTENCY_WINDOW_MS));
    time += IDEMPOTENCY_WINDOW_MS + 1_000;
    await processing.send(chatId, 'other', 'key');
    expect(processing.messages(chatId).filter(({ role }) => role === 'user')).toHaveLength(3);
    const kept = processing.life.store.read((reader) => reader.all('SELECT 1 FROM idempotency'));
    expect(kept).toHaveLength(1);
  });

  test('is repeated, not sent anew, when the clock has jumped ahead or was set back', async () => {
    const chatId = await processing.createChat();
    await processing.life.store.write((writer) => recordClock(writer, clock(), false));
    await processing.send(chatId, 'hello', 'key');
    for (const days of [40, -80]) {
      time += days * IDEMPOTENCY_WINDOW_MS;
      await processing.send(chatId, 'hello', 'key');
      await processing.life.store.write((writer) => recordClock(writer, clock(), false));
      await processing.send(chatId, 'hello', 'key');
    }
    expect(processing.messages(chatId).filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('whose first try the disk refused is not taken for answered', async () => {
    const chatId = await processing.createChat();
    processing.life.disk.isFull = true;
    const tries = await Promise.allSettled([
      processing.send(chatId, 'hello', 'key'),
      processing.send(chatId, 'hello', 'key'),
    ]);
    expect(tries.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    processing.life.disk.isFull = false;
    await processing.until(() => processing.life.store.writable);
    expect((await processing.send(chatId, 'hello', 'key')).status).toBe('pending');
    expect(processing.messages(chatId).filter(({ role }) => role === 'user')).toHaveLength(1);
  });
});

test('a stop answers with the chat stopped', async () => {
  const chatId = await processing.createChat();
  await processing.send(chatId, 'hello');
  await processing.life.runtime.turnOf(chatId);
  const chat = await processing.life.chats.stop(chatId, WORKSPACE);
  expect(chat).toMatchObject({ id: chatId, status: 'stopped' });
  expect(chat).not.toHaveProperty('queuePosition');
  expect(await processing.life.chats.stop('nobody', null)).toBeNull();
});
