import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../server/store/workspace-repository.ts';
import type { Chat } from '../../shared/api/chat.ts';
import { MAX_PERSON_TITLE_CHARACTERS } from '../../shared/limits.ts';
import {
  createTempDir,
  createTestClient,
  outcome,
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestClient,
  type TestService,
} from '../support/service.ts';

const OTHER = '11111111-1111-4111-8111-111111111111';

const api = await startSharedService();
const elsewhere = await clientElsewhere(api);

/** A client of that service whose key is for another workspace. */
async function clientElsewhere({ service }: TestService): Promise<TestClient> {
  await service.store.write((writer) =>
    createWorkspace(writer, { id: OTHER, name: 'Other', createdAt: '2026-01-01T00:00:00.000Z' }),
  );
  const { text } = await service.keys.create({
    kind: 'person',
    name: 'other',
    scope: 'chat',
    workspaceId: OTHER,
    expiresAt: null,
  });
  return createTestClient(service.port, text);
}

const pathOf = (chatId: string): string => `/api/v1/chats/${chatId}`;
const change = (client: TestClient, chatId: string, json: unknown): Promise<TestAnswer> =>
  client.request({ method: 'PATCH', path: pathOf(chatId), json });
const remove = (client: TestClient, chatId: string, query = ''): Promise<TestAnswer> =>
  client.request({ method: 'DELETE', path: `${pathOf(chatId)}${query}` });
const restore = (client: TestClient, chatId: string): Promise<TestAnswer> =>
  client.post(`${pathOf(chatId)}/restore`);
const chatOf = (answer: TestAnswer): Chat => {
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ chat: Chat }>().chat;
};
const listed = async (client: TestClient, query: string): Promise<string[]> =>
  (await client.get(`/api/v1/chats?pageSize=100&${query}`)).json<{ data: Chat[] }>().data.map(({ id }) => id);

describe('PATCH /api/v1/chats/:chatId', () => {
  it('changes what is given, leaves the rest and the place in lists, and answers with the chat', async () => {
    const chat = await api.createChat();
    const changed = chatOf(await change(api, chat.id, { pinned: true, archived: true }));
    expect(changed).toEqual({ ...chat, pinned: true, archived: true });
    expect(chatOf(await change(api, chat.id, { archived: false, agentType: 'researcher' }))).toEqual({
      ...chat,
      pinned: true,
      agentType: 'researcher',
    });
    expect(await api.chat(chat.id)).toEqual({ ...chat, pinned: true, agentType: 'researcher' });
  });

  it('changes nothing when nothing is given', async () => {
    const chat = await api.createChat();
    expect(chatOf(await change(api, chat.id, {}))).toEqual(chat);
    expect(chatOf(await api.request({ method: 'PATCH', path: pathOf(chat.id) }))).toEqual(chat);
    expect(chatOf(await change(api, chat.id, { id: 'mine', status: 'failed', colour: 'red' }))).toEqual(chat);
  });

  it('keeps a person’s title whatever is sent after it', async () => {
    const chat = await api.createChat();
    expect(chatOf(await change(api, chat.id, { title: 'Mine' })).title).toBe('Mine');
    expect((await api.send(chat.id, 'Something quite different')).title).toBe('Mine');
    expect((await api.settled(chat.id)).title).toBe('Mine');
  });

  it.each([
    ['  trimmed \n', 'trimmed'],
    ['one\r\ntwo\tthree\u0000four\u0085five', 'one two three four five'],
    ['half \ud83d of a pair', 'half \ufffd of a pair'],
    ['👩‍👩‍👧 Ünï — 日本', '👩‍👩‍👧 Ünï — 日本'],
    ['💥'.repeat(MAX_PERSON_TITLE_CHARACTERS), '💥'.repeat(MAX_PERSON_TITLE_CHARACTERS)],
  ])('makes one line of the title %j', async (title, expected) => {
    const chat = await api.createChat();
    expect(chatOf(await change(api, chat.id, { title })).title).toBe(expected);
    expect((await api.chat(chat.id)).title).toBe(expected);
  });

  it.each([
    [{ title: '' }, 'title'],
    [{ title: ' \n\t' }, 'title'],
    [{ title: '\u0000\u0007' }, 'title'],
    [{ title: 'x'.repeat(MAX_PERSON_TITLE_CHARACTERS + 1) }, 'title'],
    [{ title: 7 }, 'title'],
    [{ pinned: 'true' }, 'pinned'],
    [{ archived: 1 }, 'archived'],
    [{ agentType: 'a b' }, 'agentType'],
    [{ model: '' }, 'model'],
    [{ model: 'nobody' }, 'model'],
    [{ model: 'toString' }, 'model'],
  ])('refuses %j and changes nothing', async (body, field) => {
    const chat = await api.createChat();
    const answer = await change(api, chat.id, { pinned: true, ...body });
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(answer.error().details).toContainEqual({
      path: `/${field}`,
      message: expect.stringContaining(`"${field}" must `) as string,
    });
    expect(await api.chat(chat.id)).toEqual(chat);
  });

  it('says where the models are listed when it is given another', async () => {
    const chat = await api.createChat();
    const answer = await change(api, chat.id, { model: 'gpt' });
    expect(answer.error().message).toContain('GET /api/v1/models');
    expect(chatOf(await change(api, chat.id, { model: 'offline-assistant' })).model).toBe(
      'offline-assistant',
    );
  });

  it('answers 404 where there is no such chat for the caller', async () => {
    const chat = await api.createChat();
    expect(outcome(await change(api, 'nowhere', { pinned: true }))).toEqual([404, 'chat_not_found']);
    expect(outcome(await change(elsewhere, chat.id, { pinned: true }))).toEqual([404, 'chat_not_found']);
    expect((await change(api, chat.id, { pinned: true, workspaceId: OTHER })).status).toBe(403);
    expect((await api.chat(chat.id)).pinned).toBe(false);
  });

  it('loses nothing when it comes in the middle of sends and turns', async () => {
    const chat = await api.createChat();
    const sends: Promise<Chat>[] = [];
    for (let index = 0; index < 5; index += 1) {
      sends.push(api.send(chat.id, `What is ${index} + 1?`));
      chatOf(await change(api, chat.id, { title: `Title ${index}`, pinned: index % 2 === 0 }));
    }
    await Promise.all(sends);
    expect(await api.settled(chat.id)).toMatchObject({ status: 'idle', title: 'Title 4', pinned: true });
    const messages = await api.messages(chat.id);
    expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'complete'));
  });
});

describe('unread', () => {
  it('is set when a reply has come, until somebody says that it was looked at', async () => {
    const chat = await api.createChat();
    expect((await api.send(chat.id, 'What is 2 + 2?')).unread).toBeUndefined();
    const settled = await api.settled(chat.id);
    expect(settled.unread).toBe(true);
    const read = chatOf(await change(api, chat.id, { unread: false }));
    expect('unread' in read).toBe(false);
    expect(read.updatedAt).toBe(settled.updatedAt);
    expect(chatOf(await change(api, chat.id, { unread: true })).unread).toBe(true);
  });
});

describe('DELETE /api/v1/chats/:chatId', () => {
  it('hides the chat from everything, and answers with it', async () => {
    const chat = await api.createChat();
    const deleted = chatOf(await remove(api, chat.id));
    expect(deleted).toEqual({ ...chat, deletedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string });
    for (const answer of [
      await api.get(pathOf(chat.id)),
      await api.get(`${pathOf(chat.id)}/messages`),
      await api.post(`${pathOf(chat.id)}/messages`, { content: 'hi' }),
      await api.post(`${pathOf(chat.id)}/stop`),
      await change(api, chat.id, { pinned: true }),
      await remove(api, chat.id),
    ]) {
      expect(outcome(answer)).toEqual([404, 'chat_not_found']);
    }
    expect(await listed(api, 'archived=true')).not.toContain(chat.id);
    expect(await listed(api, 'deleted=true')).toContain(chat.id);
  });

  it('stops what is under way, for good', async () => {
    const dataDir = await createTempDir();
    const own = await startTestService({ dataDir });
    const chat = await own.createChat();
    for (let index = 0; index < 20; index += 1) await own.send(chat.id, `What is ${index} * 3?`);
    const deleted = chatOf(await remove(own, chat.id));
    expect(deleted.status).toBe('stopped');
    expect('queuePosition' in deleted).toBe(false);
    await own.service.close();
    const again = await startTestService({ dataDir });
    expect((await again.get(pathOf(chat.id))).status).toBe(404);
    expect(chatOf(await restore(again, chat.id))).toMatchObject({ id: chat.id, status: 'stopped' });
    const messages = await again.messages(chat.id);
    const replies = messages.filter(({ role }) => role === 'assistant');
    expect(messages).toHaveLength(40);
    expect(replies.every(({ status, stopReason }) => status === 'complete' && stopReason !== undefined)).toBe(
      true,
    );
    expect(replies.at(-1)?.stopReason).toBe('stopped');
  });

  it('takes bodies and content types in its stride', async () => {
    const one = await api.createChat();
    const headers = { 'content-type': 'application/json' };
    expect((await api.request({ method: 'DELETE', path: pathOf(one.id), headers })).status).toBe(200);
    const other = await api.createChat();
    expect((await api.request({ method: 'DELETE', path: pathOf(other.id), json: {} })).status).toBe(200);
  });

  it.each(['permanent=yes', 'permanent=', 'permanent=true&permanent=true'])('refuses ?%s', async (query) => {
    const chat = await api.createChat();
    expect(outcome(await remove(api, chat.id, `?${query}`))).toEqual([400, 'invalid_request']);
    expect((await api.get(pathOf(chat.id))).status).toBe(200);
  });

  it('is not for other workspaces', async () => {
    const chat = await api.createChat();
    for (const query of ['', '?permanent=true']) {
      expect(outcome(await remove(elsewhere, chat.id, query))).toEqual([404, 'chat_not_found']);
    }
    expect((await remove(api, chat.id, `?workspaceId=${OTHER}`)).status).toBe(403);
    expect((await api.get(pathOf(chat.id))).status).toBe(200);
    await remove(api, chat.id);
    expect(outcome(await restore(elsewhere, chat.id))).toEqual([404, 'chat_not_found']);
    expect(outcome(await remove(elsewhere, chat.id, '?permanent=true'))).toEqual([404, 'chat_not_found']);
    expect((await restore(api, chat.id)).status).toBe(200);
  });
});

describe('POST /api/v1/chats/:chatId/restore', () => {
  it('brings the chat back as it was', async () => {
    const chat = await api.createChat();
    await change(api, chat.id, { title: 'Kept', pinned: true, archived: true });
    await api.send(chat.id, 'What is 3 + 4?');
    const before = await api.settled(chat.id);
    const messages = await api.messages(chat.id);
    await remove(api, chat.id);
    expect(chatOf(await restore(api, chat.id))).toEqual(before);
    expect(await api.chat(chat.id)).toEqual(before);
    expect(await api.messages(chat.id)).toEqual(messages);
    expect(await listed(api, 'deleted=true')).not.toContain(chat.id);
    await api.send(chat.id, 'What is 5 + 6?');
    expect((await api.settled(chat.id)).status).toBe('idle');
  });

  it('answers with a chat that is there already, so that a repeat does no harm', async () => {
    const chat = await api.createChat();
    await remove(api, chat.id);
    expect(chatOf(await restore(api, chat.id))).toEqual(chat);
    expect(chatOf(await restore(api, chat.id))).toEqual(chat);
    expect(await api.chat(chat.id)).toEqual(chat);
  });

  it('answers 404 for a chat that is not there, or in another workspace', async () => {
    const chat = await api.createChat();
    expect(outcome(await restore(elsewhere, chat.id))).toEqual([404, 'chat_not_found']);
    expect(outcome(await restore(api, 'nowhere'))).toEqual([404, 'chat_not_found']);
  });
});

describe('DELETE /api/v1/chats/:chatId?permanent=true', () => {
  /** Files of the store that hold the text, in any case. */
  async function filesWith(dataDir: string, text: string): Promise<string[]> {
    const dir = join(dataDir, 'store');
    const names = await readdir(dir);
    const holding: string[] = [];
    for (const name of names) {
      const bytes = (await readFile(join(dir, name))).toString('latin1').toLowerCase();
      if (bytes.includes(text)) holding.push(name);
    }
    return holding;
  }

  it.each([
    ['a live chat', false, true],
    ['a live chat that no search has looked at', false, false],
    ['a deleted chat', true, true],
  ])('leaves nothing of %s in any file', async (_name, isDeleted, isSearched) => {
    const dataDir = await createTempDir();
    const own = await startTestService({ dataDir });
    const word = 'zyxquorble';
    const chat = await own.createChat();
    const kept = await own.createChat();
    await own.send(kept.id, 'What is 2 + 3?');
    await own.send(chat.id, `Remind me of the ${word} please`, {});
    await own.post(
      `${pathOf(chat.id)}/messages`,
      { content: `and ${word}ish` },
      { headers: { 'idempotency-key': word } },
    );
    await own.settled(chat.id);
    await own.settled(kept.id);
    await change(own, chat.id, { title: `On the ${word}` });
    const draft = { text: `more ${word}`, updatedAt: new Date().toISOString() };
    await own.request({ method: 'PUT', path: `/api/v1/drafts/${chat.id}`, json: draft });
    if (isSearched) {
      await own.send(kept.id, `search my messages for ${word}`);
      await own.settled(kept.id);
    }
    expect(await filesWith(dataDir, word)).not.toEqual([]);
    if (isDeleted) await remove(own, chat.id);
    if (isSearched) {
      // The chat that searched for the word holds it too, by right.
      expect(chatOf(await remove(own, kept.id, '?permanent=true')).id).toBe(kept.id);
    }

    const erased = chatOf(await remove(own, chat.id, '?permanent=true'));
    expect(erased).toMatchObject({ id: chat.id, deletedAt: expect.stringMatching(/^2\d{3}-/) as string });
    for (const part of [word, 'yxquorble', 'quorble']) expect(await filesWith(dataDir, part)).toEqual([]);
    expect(outcome(await own.get(pathOf(chat.id)))).toEqual([404, 'chat_not_found']);
    expect(outcome(await own.get(`${pathOf(chat.id)}/messages`))).toEqual([404, 'chat_not_found']);
    expect(outcome(await restore(own, chat.id))).toEqual([404, 'chat_not_found']);
    expect(outcome(await remove(own, chat.id, '?permanent=true'))).toEqual([404, 'chat_not_found']);
    expect(await listed(own, 'deleted=true')).toEqual([]);
    await own.service.close();
    expect(await filesWith(dataDir, 'quorble')).toEqual([]);
  });

  it('all deleted ones of the workspace at once, and no other', async () => {
    const dataDir = await createTempDir();
    const own = await startTestService({ dataDir });
    const there = await clientElsewhere(own);
    const [kept, one, two] = [await own.createChat(), await own.createChat(), await own.createChat()];
    const foreign = await there.createChat();
    for (const { id } of [one, two]) await own.send(id, 'the zyxquorble');
    for (const { id } of [one, two]) await remove(own, id);
    await remove(there, foreign.id);
    const erase = () => own.request({ method: 'DELETE', path: '/api/v1/deleted-chats' });
    expect(await listed(own, 'deleted=true')).toHaveLength(2);
    expect((await erase()).json()).toEqual({ count: 2 });
    expect(await listed(own, 'deleted=true')).toEqual([]);
    expect(outcome(await restore(own, one.id))).toEqual([404, 'chat_not_found']);
    expect(await filesWith(dataDir, 'quorble')).toEqual([]);
    expect((await own.get(pathOf(kept.id))).status).toBe(200);
    expect((await erase()).json()).toEqual({ count: 0 });
    expect((await restore(there, foreign.id)).status).toBe(200);
  });
});

describe('GET /api/v1/chats with filters', () => {
  /** What is done after it is later by the clock, and so in the order of lists. */
  async function nextMillisecond(): Promise<void> {
    const now = Date.now();
    while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve));
  }

  it('lists archived, pinned and deleted chats as asked', async () => {
    const own = await startTestService();
    const make = async (marks: object): Promise<string> => {
      const { id } = await own.createChat({ agentType: 'filtered' });
      await nextMillisecond();
      await change(own, id, marks);
      return id;
    };
    const plain = await make({});
    const pinned = await make({ pinned: true });
    const archived = await make({ archived: true });
    const both = await make({ pinned: true, archived: true });
    const deletedFirst = await make({ archived: true });
    const deletedLast = await make({ pinned: true });
    for (const id of [deletedFirst, deletedLast]) {
      await remove(own, id);
      await nextMillisecond();
    }
    const list = async (query: string): Promise<[string[], number]> => {
      const { data, total } = (await own.get(`/api/v1/chats?${query}`)).json<{
        data: Chat[];
        total: number;
      }>();
      return [data.map(({ id }) => id), total];
    };
    expect(await list('')).toEqual([[pinned, plain], 2]);
    expect(await list('archived=true')).toEqual([[both, archived, pinned, plain], 4]);
    expect(await list('archived=only')).toEqual([[both, archived], 2]);
    expect(await list('pinned=true')).toEqual([[pinned], 1]);
    expect(await list('pinned=false')).toEqual([[plain], 1]);
    expect(await list('pinned=true&archived=true')).toEqual([[both, pinned], 2]);
    expect(await list('pinned=false&archived=only')).toEqual([[archived], 1]);
    expect(await list('pinned=false&archived=true&agentType=filtered')).toEqual([[archived, plain], 2]);
    expect(await list('deleted=false')).toEqual([[pinned, plain], 2]);
    expect(await list('deleted=true')).toEqual([[deletedLast, deletedFirst], 2]);
    expect(await list('deleted=true&page=2&pageSize=1')).toEqual([[deletedFirst], 2]);
    expect(await list('deleted=true&pinned=true')).toEqual([[deletedLast], 1]);
    expect(await list('deleted=true&agentType=other')).toEqual([[], 0]);
  });

  it.each([
    'archived=both',
    'pinned=',
    'pinned=1',
    'pinned=only',
    'deleted=yes',
    'deleted=true&deleted=true',
  ])('refuses ?%s', async (query) => {
    expect(outcome(await api.get(`/api/v1/chats?${query}`))).toEqual([400, 'invalid_request']);
  });
});
