import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chat, ChatList } from '../../shared/api/chat.ts';
import type {
  Backup,
  BackupList,
  CreatedBackup,
  DataInfo,
  ExportFile,
  ImportResult,
} from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import { MAX_BODY_BYTES, MAX_IMPORT_BYTES } from '../../shared/limits.ts';
import { hasDoubt } from '../../server/store/tool-call-repository.ts';
import { listPrompts } from '../../server/store/prompt-repository.ts';
import { listWorkspaces } from '../../server/store/workspace-repository.ts';
import { rounds, sized } from '../support/effort.ts';
import { anyChat, exportedChat, exportFileOf, replied, said, twoVersions } from '../support/exported.ts';
import { modeOf, PRIVATE_FILE, PRIVATE_FOLDER } from '../support/platform.ts';
import {
  sendRaw,
  startSharedService,
  startTestService,
  type TestClient,
  type TestService,
} from '../support/service.ts';

const EXPORT = '/api/v1/export?format=json';

/** For tests that read only the chats that they brought in. */
const shared = await startSharedService();
/** Never has a chat or a backup. */
const empty = await startSharedService();

/** At the larger size, a list of them is too long for the arguments of a call. */
const MANY_MESSAGES = sized(8_000, 130_000);

const importInto = async (client: TestClient, file: unknown): Promise<ImportResult> => {
  const answer = await client.post('/api/v1/import', file);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<ImportResult>();
};

const exportOf = async (client: TestClient): Promise<ExportFile> =>
  (await client.get(EXPORT)).json<ExportFile>();

const exportOfChat = async (client: TestClient, id = ''): Promise<ExportFile> =>
  (await client.get(`/api/v1/chats/${id}/export?format=json`)).json<ExportFile>();

/** All that clients see of the chats of a service, but workspaces and whether somebody has looked. */
async function everything(client: TestClient): Promise<unknown[]> {
  const { data } = (await client.get('/api/v1/chats?pageSize=100&archived=true')).json<ChatList>();
  const chats = [];
  for (const chat of data) {
    delete chat.unread;
    chats.push({ ...chat, workspaceId: 'any', messages: await client.messages(chat.id) });
  }
  return chats;
}

async function serviceWithChats(): Promise<TestService> {
  const client = await startTestService();
  const first = await client.createChat();
  await client.send(first.id, 'What is 12.5% of 1840?');
  await client.settled(first.id);
  const second = await client.createChat();
  await client.send(second.id, 'half a pair: \ud83d and a NUL: \0, all kept');
  await client.settled(second.id);
  await client.createChat({ agentType: 'researcher' });
  return client;
}

describe('an export as JSON', () => {
  it('is brought in elsewhere as it was', async () => {
    const here = await serviceWithChats();
    const there = await startTestService();
    const result = await importInto(there, await exportOf(here));
    expect(result).toMatchObject({ imported: 3, copied: 0, skipped: 0 });
    expect(await everything(there)).toEqual(await everything(here));
  });

  it('brings back whatever was in it, version by version', { timeout: 120_000 }, async () => {
    const here = await startTestService();
    const there = await startTestService();
    await fc.assert(
      fc.asyncProperty(fc.array(anyChat, { minLength: 1, maxLength: 4 }), async (chats) => {
        // The ids of a run stand in the store already when the same chats are tried again, so copies are fine here.
        const { chatIds } = await importInto(here, exportFileOf(...structuredClone(chats)));
        for (const id of chatIds) {
          const one = await exportOfChat(here, id);
          await importInto(there, one);
          expect(await there.messages(id)).toEqual(await here.messages(id));
          const again = await exportOfChat(there, id);
          expect(again.chats[0]?.messages).toEqual(one.chats[0]?.messages);
          expect({ ...again.chats[0]?.chat, workspaceId: '' }).toEqual({
            ...one.chats[0]?.chat,
            workspaceId: '',
          });
        }
      }),
      { numRuns: rounds(2), endOnFailure: true },
    );
  });

  it('keeps text, links and marks of a chat that came from a file', async () => {
    const chat = exportedChat([...twoVersions(), said('\0 \ud800')], {
      pinned: true,
      archived: true,
      title: 'Kept: “title”',
      agentType: 'writer',
      status: 'stopped',
    });
    expect(await importInto(shared, exportFileOf(chat))).toMatchObject({
      imported: 1,
      chatIds: [chat.chat.id],
    });
    const { workspaceId, ...found } = await shared.chat(chat.chat.id);
    expect({ ...found, workspaceId: 'elsewhere' }).toEqual(chat.chat);
    expect(workspaceId).toBe(shared.service.workspaceId);
    const listed = await shared.messages(chat.chat.id);
    expect(listed.map(({ content }) => content)).toEqual(['second version', 'to the second', '\0 \ud800']);
    expect(listed[0]?.versions).toEqual([chat.messages[0]?.id, chat.messages[2]?.id]);
    const again = await exportOfChat(shared, chat.chat.id);
    const withoutVersions = again.chats[0]?.messages.map(({ versions: _, ...message }) => message);
    expect(withoutVersions).toEqual(chat.messages);
  });

  it('lists the same elsewhere after edits, retries and deletions, of a chosen version too', async () => {
    const here = await startTestService();
    const { id } = await here.createChat();
    const rest = (): Promise<unknown> => here.settled(id);
    const path = `/api/v1/chats/${id}`;
    const edit = async (messageId: string, content: string): Promise<void> => {
      expect((await here.post(`${path}/messages/${messageId}/edit`, { content })).status).toBe(200);
      await rest();
    };
    await here.send(id, 'What is 1 + 1?');
    await rest();
    await here.send(id, 'What is 2 + 2?');
    await rest();
    const first = (await here.messages(id)).map((message) => message.id);
    await edit(first[2] ?? '', 'What is 3 + 3?');
    await edit(first[0] ?? '', 'What is 4 + 4?');
    const compare = async (): Promise<void> => {
      const there = await startTestService();
      const file = await exportOfChat(here, id);
      const { chatIds } = await importInto(there, file);
      const bare = (list: Message[]): unknown[] =>
        list.map(({ role, content, status, versions }) => [role, content, status, versions?.length]);
      expect(bare(await there.messages(chatIds[0] ?? ''))).toEqual(bare(await here.messages(id)));
      // What can be brought in can be taken out and brought in again.
      const again = await exportOfChat(there, chatIds[0]);
      expect(again.chats[0]?.messages.length).toBe(file.chats[0]?.messages.length);
      for (const { versionOf, hiddenBy } of again.chats[0]?.messages ?? []) {
        const ids = again.chats[0]?.messages.map((message) => message.id);
        if (versionOf !== undefined) expect(ids).toContain(versionOf);
        if (hiddenBy !== undefined) expect(ids).toContain(hiddenBy);
      }
    };
    await compare();
    await here.post(`${path}/messages/${first[0] ?? ''}/show`);
    await compare();
    const [chosen] = await here.messages(id);
    await here.request({ method: 'DELETE', path: `${path}/messages/${chosen?.id ?? ''}` });
    await compare();
  });

  it('keeps which versions are retries, also as a copy and when the first try was deleted', async () => {
    const here = await startTestService();
    const { id } = await here.createChat();
    const path = `/api/v1/chats/${id}`;
    const ids: string[] = [];
    const ask = async (request: Promise<unknown>): Promise<void> => {
      await request;
      await here.settled(id);
      ids.push((await here.messages(id))[0]?.id ?? '');
    };
    await ask(here.send(id, 'What is 1 + 1?'));
    await ask(here.post(`${path}/retry`));
    await ask(here.post(`${path}/retry`));
    await ask(here.post(`${path}/messages/${ids[2] ?? ''}/edit`, { content: 'What is 1 + 1?' }));
    await ask(here.post(`${path}/retry`));
    await here.post(`${path}/messages/${ids[0] ?? ''}/show`);
    await here.request({ method: 'DELETE', path: `${path}/messages/${ids[0] ?? ''}` });
    await here.post(`${path}/messages/${ids[4] ?? ''}/show`);
    const file = await exportOfChat(here, id);

    const there = await startTestService();
    const [chat] = file.chats;
    for (const more of [[], [said('one more')]]) {
      const messages = [...(chat?.messages ?? []), ...more];
      const { chatIds } = await importInto(there, { ...file, chats: [{ ...chat, messages }] });
      const [{ versions = [], retries } = {}] = await there.messages(chatIds[0] ?? '');
      expect(versions).toHaveLength(4);
      expect(retries).toEqual([
        { id: versions[1], retryOf: versions[0] },
        { id: versions[3], retryOf: versions[2] },
      ]);
    }
  });

  it('takes versions of one text for retries where a file of an earlier version does not say', async () => {
    const first = said('one');
    const version = (content: string) => said(content, { versionOf: first.id });
    const hidden = [{ ...first, versionOf: first.id }, version('one'), version('two')];
    const messages = [...hidden.map((each) => ({ ...each, hiddenBy: each.id })), version('two')];
    const { chatIds } = await importInto(shared, exportFileOf(exportedChat(messages)));
    const [{ versions = [], retries } = {}] = await shared.messages(chatIds[0] ?? '');
    expect(retries).toEqual([
      { id: versions[1], retryOf: versions[0] },
      { id: versions[3], retryOf: versions[2] },
    ]);
  });

  it('leaves out deleted chats and what belongs to another workspace', async () => {
    const client = await serviceWithChats();
    const { data } = (await client.get('/api/v1/chats')).json<ChatList>();
    await client.request({ method: 'DELETE', path: `/api/v1/chats/${data[0]?.id ?? ''}` });
    expect((await exportOf(client)).chats.map(({ chat }) => chat.id)).toEqual(
      data.slice(1).map(({ id }) => id),
    );
    const answer = await client.get(`/api/v1/chats/${data[0]?.id ?? ''}/export?format=json`);
    expect([answer.status, answer.error().code]).toEqual([404, 'chat_not_found']);
  });

  it('says which formats there are', async () => {
    for (const query of ['', '?format=', '?format=html', '?format=json&format=json']) {
      const answer = await shared.get(`/api/v1/export${query}`);
      expect([answer.status, answer.error().code], query).toEqual([400, 'invalid_request']);
      expect(answer.error().message).toContain('"markdown" or "json"');
    }
  });

  it('is sent as a file with a name that every system takes', async () => {
    const title = '../a/b: "C" <d>|é 日本 %41';
    const { chatIds } = await importInto(shared, exportFileOf(exportedChat([], { title })));
    const { headers } = await shared.get(`/api/v1/chats/${chatIds[0]}/export?format=markdown`);
    expect(headers['content-disposition']).toBe(
      'attachment; filename="a b C d e __ _41.md"; ' +
        "filename*=UTF-8''a%20b%20C%20d%20%C3%A9%20%E6%97%A5%E6%9C%AC%20%2541.md",
    );
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
  });
});

describe('an export as Markdown', () => {
  it('tells what is shown of a chat', async () => {
    const asked = said('# Not a title\n\n```js\nleft open');
    const chat = exportedChat(
      [
        asked,
        replied('**42**', asked.id, {
          model: 'o3',
          steps: [
            { id: '1', tool: 'calculate', status: 'done', input: {}, output: 42 },
            { id: '2', tool: 'search', status: 'failed', input: {}, error: 'There is nothing.' },
          ],
        }),
        ...twoVersions(),
        replied('', asked.id, {
          status: 'error',
          error: { code: 'timed_out', message: 'It took too long.' },
        }),
      ],
      { title: 'Some *title*' },
    );
    await importInto(shared, exportFileOf(chat));
    const { text } = await shared.get(`/api/v1/chats/${chat.chat.id}/export?format=markdown`);
    expect(text).toBe(`# Some \\*title\\*

*Created 2026-11-20 09:30 UTC · last changed 2026-11-20 09:30 UTC*

---

**You** · 2026-11-20 09:30 UTC

# Not a title

\`\`\`js
left open
\`\`\`

---

**Assistant** · 2026-11-20 09:30 UTC · o3

<details>
<summary><code>calculate</code></summary>

Output:

\`\`\`json
42
\`\`\`

</details>

- \`search\`: failed, There is nothing.

**42**

---

**You** · 2026-11-20 09:30 UTC

second version

---

**Assistant** · 2026-11-20 09:30 UTC · offline-assistant

to the second

---

**Assistant** · 2026-11-20 09:30 UTC · offline-assistant

*This reply could not be made. It took too long.*
`);
  });

  it('has a part for each chat, newest first, and a table of contents', async () => {
    const client = await startTestService();
    const chats = ['Old', 'New'].map((title, index) =>
      exportedChat([said(title)], { title, updatedAt: `2026-11-2${index}T09:30:00.000Z` }),
    );
    await importInto(client, exportFileOf(...chats));
    const { text } = await client.get('/api/v1/export?format=markdown');
    expect(text).toContain('2 chats, newest first.\n\n- [New](#chat-1)\n- [Old](#chat-2)\n');
    expect(text).toMatch(/<a id="chat-1"><\/a>\n\n## New\n[^]*<a id="chat-2"><\/a>\n\n## Old\n/);
  });
});

describe('an import', () => {
  it('passes over what is there, and copies what is there in part', async () => {
    const client = await startTestService();
    const chat = exportedChat(twoVersions());
    await importInto(client, exportFileOf(chat));
    const before = await everything(client);
    expect(await importInto(client, exportFileOf(chat))).toEqual({
      imported: 0,
      copied: 0,
      skipped: 1,
      chatIds: [],
      mended: 0,
      leftOut: 0,
      problems: [],
    });
    const more = { ...chat, messages: [...chat.messages, said('one more')] };
    const result = await importInto(client, exportFileOf(more));
    expect(result).toMatchObject({ imported: 0, copied: 1, skipped: 0 });
    expect(await importInto(client, exportFileOf(more))).toMatchObject({ copied: 0, skipped: 1 });
    expect((await everything(client)).filter((each) => (each as Chat).id === chat.chat.id)).toEqual(before);

    const copy = (await exportOf(client)).chats.find(({ chat: { id } }) => id === result.chatIds[0]);
    const ids = copy?.messages.map(({ id }) => id) ?? [];
    expect(ids.some((id) => more.messages.some((message) => message.id === id))).toBe(false);
    expect(copy?.messages.map(({ versionOf, hiddenBy, replyTo }) => [versionOf, hiddenBy, replyTo])).toEqual([
      [ids[0], ids[0], undefined],
      [undefined, ids[0], ids[0]],
      [ids[0], undefined, undefined],
      [undefined, undefined, ids[2]],
      [undefined, undefined, undefined],
    ]);
  });

  it('copies a chat whose id is taken by a deleted one', async () => {
    const chat = exportedChat([said('hello')]);
    await importInto(shared, exportFileOf(chat));
    await shared.request({ method: 'DELETE', path: `/api/v1/chats/${chat.chat.id}` });
    expect(await importInto(shared, exportFileOf(chat))).toMatchObject({ imported: 0, copied: 1 });
    expect(await importInto(shared, exportFileOf(chat))).toMatchObject({ skipped: 1 });
  });

  it('makes final what was under way, and answers nothing', async () => {
    const asked = said('asked', { status: 'complete' });
    const chat = exportedChat(
      [
        asked,
        replied('half a', asked.id, {
          status: 'streaming',
          steps: [{ id: '1', tool: 'calculate', status: 'running', input: {} }],
        }),
        said('waiting', { status: 'pending' }),
      ],
      { status: 'processing', unread: true, queuePosition: 3 },
    );
    await importInto(shared, exportFileOf(chat));
    const found = await shared.chat(chat.chat.id);
    expect(found).toMatchObject({ status: 'stopped' });
    expect(found).not.toHaveProperty('unread');
    expect(found).not.toHaveProperty('queuePosition');
    const [, reply, waiting, stopped] = await shared.messages(chat.chat.id);
    expect(reply).toMatchObject({ content: 'half a', status: 'error', error: { code: 'interrupted' } });
    expect(reply?.steps?.[0]).toMatchObject({ status: 'failed' });
    expect(waiting).toMatchObject({ status: 'complete' });
    expect(stopped).toMatchObject({
      status: 'complete',
      content: '',
      stopReason: 'stopped',
      replyTo: waiting?.id,
    });
    expect(await importInto(shared, exportFileOf(chat))).toMatchObject({ skipped: 1 });
  });

  it('lists everything when versions do not hang together, and shows them without going round in circles', async () => {
    const [a1, a2, b1, b2] = [said('a1'), said('a2'), said('b1'), said('b2')];
    const circle = [
      { ...a1, versionOf: a1.id, hiddenBy: a1.id },
      { ...a2, versionOf: a1.id, hiddenBy: b1.id },
      { ...b1, versionOf: b1.id, hiddenBy: b1.id },
      { ...b2, versionOf: b1.id, hiddenBy: a1.id },
    ];
    const files = [
      circle,
      [said('x', { hiddenBy: 'nobody' })],
      [{ ...a1, hiddenBy: a1.id }],
      twoVersions().map(({ hiddenBy: _, ...message }) => message),
    ];
    for (const messages of files) {
      const { chatIds } = await importInto(shared, exportFileOf(exportedChat(messages)));
      const listed = await shared.messages(chatIds[0] ?? '');
      expect(listed.map(({ content }) => content)).toEqual(messages.map(({ content }) => content));
    }
  });

  it('has nothing made anew that answers no user message', async () => {
    const asked = said('asked');
    const messages = [
      asked,
      replied('to nothing', 'nowhere'),
      replied('to a reply', 'r', { id: 'q' }),
      replied('to a user message', asked.id, { id: 'r' }),
    ];
    const { chat } = exportedChat(messages);
    await importInto(shared, exportFileOf({ chat, messages, titleSource: 'person' }));
    const retry = (messageId: string) => shared.post(`/api/v1/chats/${chat.id}/retry`, { messageId });
    for (const { id } of [messages[1], messages[2]].filter((each) => each !== undefined)) {
      const answer = await retry(id);
      expect([answer.status, answer.error().code], answer.text).toEqual([400, 'invalid_request']);
    }
    expect((await retry('r')).status).toBe(200);
    await shared.settled(chat.id);
    expect((await shared.messages(chat.id)).filter(({ role }) => role === 'user')).toMatchObject([
      { content: 'asked' },
    ]);
  });

  it('can be found by a search afterwards', async () => {
    await importInto(shared, exportFileOf(exportedChat([said('a quokka in the file')])));
    const { text } = await shared.get('/api/v1/search?q=quokka');
    expect(text).toContain('quokka');
  });

  it('takes files over the limit of other bodies, and says when even that is passed', async () => {
    const long = exportedChat([said('x'.repeat(90_000))]);
    const many = Array.from({ length: 20 }, () => exportedChat([said('y'.repeat(90_000)), said('z')]));
    const file = exportFileOf(long, ...many);
    expect(JSON.stringify(file).length).toBeGreaterThan(MAX_BODY_BYTES);
    expect(await importInto(shared, file)).toMatchObject({ imported: 21 });

    const { port, apiKey } = shared.service;
    const head = `POST /api/v1/import HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${apiKey}\r\n`;
    const tooLong = `content-type: application/json\r\ncontent-length: ${MAX_IMPORT_BYTES + 1}\r\n\r\n{`;
    const refused = await sendRaw(port, head + tooLong, '"requestId"');
    expect(refused).toMatch(/^HTTP\/1.1 413 [^]*"body_too_large"[^]*512 MiB/);
    const other = await shared.post('/api/v1/chats', { pad: 'x'.repeat(MAX_BODY_BYTES) });
    expect([other.status, other.error().code]).toEqual([413, 'body_too_large']);
  });

  it('brings in a long chat whole', async () => {
    const messages = Array.from({ length: 1_200 }, (_, index) => said(`message ${index}`));
    const chat = exportedChat(messages);
    expect(await importInto(shared, exportFileOf(chat))).toMatchObject({ imported: 1 });
    const listed = await shared.messages(chat.chat.id);
    expect(listed.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(await importInto(shared, exportFileOf(chat))).toMatchObject({ skipped: 1 });
  });

  const chat = exportedChat([said('one'), said('two')]);
  const withMessage = (change: object): unknown =>
    exportFileOf({ ...chat, messages: [said('one'), { ...said('two'), ...change }] });
  const withChat = (change: object): unknown => exportFileOf({ ...chat, chat: { ...chat.chat, ...change } });
  const nested = JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)) as unknown;
  const deepStep = { id: '1', tool: 't', status: 'done', input: nested };
  const REFUSALS: [string, unknown, string, string][] = [
    ['no body', undefined, 'unsupported_import', ''],
    ['null', null, 'unsupported_import', ''],
    ['a list', [], 'unsupported_import', ''],
    ['another format', { format: 'chat', version: 1, chats: [] }, 'unsupported_import', ''],
    ['a newer version', { ...exportFileOf(), version: 2 }, 'unsupported_import', 'format 2'],
    ['a version that is no number', { ...exportFileOf(), version: '1' }, 'unsupported_import', ''],
    ['no chats', { ...exportFileOf(), chats: {} }, 'invalid_request', '/chats'],
    ['too many chats', { ...exportFileOf(), chats: Array(100_001).fill(0) }, 'invalid_request', '/chats'],
    ['an odd workspace', { ...exportFileOf(), workspaceId: {} }, 'invalid_request', ''],
  ];

  it.each(REFUSALS)('refuses %s and takes nothing of the file', async (_what, file, code, path) => {
    const answer = await empty.post('/api/v1/import', file);
    expect([answer.status, answer.error().code], answer.text).toEqual([400, code]);
    if (path.startsWith('/')) expect(answer.error().details?.[0]?.path).toBe(path);
    else expect(answer.error().message).toContain(path);
    expect(await everything(empty)).toEqual([]);
    expect(empty.log).toEqual([]);
  });

  const MENDED: [string, unknown, string[]][] = [
    ['a bad chat id', withChat({ id: '"' }), ['id']],
    ['a bad agent type', withChat({ agentType: '' }), ['agentType']],
    ['a bad time', withChat({ updatedAt: 'now' }), ['updatedAt']],
    ['no title', withChat({ title: undefined }), ['title']],
    ['a bad day', withMessage({ createdAt: '2026-13-01T00:00:00.000Z' }), ['createdAt']],
    ['a day that there is not', withMessage({ createdAt: '2026-02-31T00:00:00.000Z' }), ['createdAt']],
    ['a bad message id', withMessage({ id: 'a"b' }), ['id']],
    ['a user message that failed', withMessage({ status: 'error' }), ['status']],
    ['a number for a mode', withMessage({ mode: 7 }), ['mode']],
    ['parts of tokens', withMessage({ role: 'assistant', usage: { inputTokens: 1.6 } }), ['usage']],
    ['a step without a tool', withMessage({ role: 'assistant', steps: [{ id: '1' }] }), ['steps']],
    ['steps of no end', withMessage({ role: 'assistant', steps: [deepStep] }), ['nested too deeply']],
    [
      'text of no end',
      withMessage({ role: 'assistant', content: 'x'.repeat(4_000_001) }),
      ['cut after 4,000,000'],
    ],
  ];

  it('has odd chats and messages put right, says how, and brings in the rest as it is', async () => {
    const client = await startTestService();
    const odd = MENDED.flatMap(([, file]) => structuredClone((file as ExportFile).chats));
    odd.forEach(({ chat: { id }, messages }, index) => {
      if (id !== '"') Object.assign(odd[index]?.chat ?? {}, { id: randomUUID() });
      for (const message of messages) if (message.id !== 'a"b') message.id = randomUUID();
    });
    const file = exportFileOf(...odd);
    const result = await importInto(client, file);
    expect(result).toMatchObject({ imported: odd.length, mended: odd.length, leftOut: 0 });
    for (const [index, [what, , names]] of MENDED.entries()) {
      const problem = result.problems[index];
      expect(problem?.chat, what).toBe(index + 1);
      for (const name of names) expect(problem?.what, what).toContain(name);
      expect(await client.messages(result.chatIds[index] ?? ''), what).toMatchObject([
        { content: 'one' },
        {},
      ]);
    }
    // The same file again brings in nothing anew, and what came in can be taken out and brought in elsewhere as it is.
    expect(await importInto(client, file)).toMatchObject({ imported: 0, copied: 0, skipped: odd.length });
    const again = await importInto(await startTestService(), await exportOf(client));
    expect(again).toMatchObject({ imported: odd.length, mended: 0, leftOut: 0 });
    expect(client.log).toEqual([]);
  });

  const LEFT_OUT: [string, unknown, object, string[]][] = [
    ['a number for text', withMessage({ content: 5 }), { chat: 1, title: 'A chat', message: 2 }, ['one']],
    ['an unknown role', withMessage({ role: 'system' }), { chat: 1, message: 2 }, ['one']],
    [
      'a message twice',
      exportFileOf({ ...chat, messages: [said('one', { id: 'm' }), said('one', { id: 'm' })] }),
      { chat: 1, message: 2 },
      ['one'],
    ],
    [
      'a chat that is a number',
      { ...exportFileOf(), chats: [1, exportedChat([said('one')])] },
      { chat: 1, message: null },
      ['one'],
    ],
    [
      'no messages',
      exportFileOf({ ...chat, messages: {} as never }, exportedChat([said('one')])),
      { chat: 1, message: null },
      ['one'],
    ],
  ];

  it('leaves out what can not be put right, says where, and takes the rest', async () => {
    for (const [what, file, place, contents] of LEFT_OUT) {
      const result = await importInto(shared, file);
      expect(result, what).toMatchObject({ mended: 0, leftOut: 1, problems: [place] });
      const messages = await shared.messages(result.chatIds[0] ?? '');
      expect(
        messages.map(({ content }) => content),
        what,
      ).toEqual(contents);
    }
  });

  it('tells a hundred problems one by one, and counts all', async () => {
    const messages = Array.from({ length: 150 }, () => said('x', { content: 5 as never }));
    const result = await importInto(shared, exportFileOf(exportedChat(messages)));
    expect([result.leftOut, result.problems.length]).toEqual([150, 100]);
  });

  it('keeps which model answered, and asks again where nobody knows whether a tool took effect', async () => {
    const asked = said('asked');
    const usage = { inputTokens: 3, outputTokens: 4, model: 'the-one-that-answered' };
    const step = {
      id: '1',
      tool: 'write_file',
      status: 'failed' as const,
      input: {},
      error: 'cut off',
      inDoubt: true as const,
    };
    const doubtful = exportedChat([asked, replied('', asked.id, { usage, steps: [step] })]);
    const { chatIds } = await importInto(shared, exportFileOf(doubtful));
    const again = (await exportOfChat(shared, chatIds[0])).chats[0]?.messages[1];
    expect([again?.usage, again?.steps]).toEqual([usage, [step]]);
    const [chatId = ''] = chatIds;
    expect(shared.service.store.read((reader) => hasDoubt(reader, chatId, 'write_file'))).toBe(true);
  });

  it('that never arrives whole keeps nobody waiting, and leaves nothing', async () => {
    const client = await startTestService();
    const { port, apiKey, dataDir } = client.service;
    const head = `POST /api/v1/import HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`;
    const first = connect(port, '127.0.0.1');
    first.write(`${head}{`);
    await expect.poll(() => readdir(dataDir)).toContain('import.tmp');
    expect((await client.post('/api/v1/backups')).status).toBe(201);
    first.destroy();
    await expect.poll(() => readdir(dataDir)).not.toContain('import.tmp');
    expect(client.log).toEqual([]);
  });

  it('brings in a long chat as a copy of the one it has grown from', { timeout: 180_000 }, async () => {
    const client = await startTestService();
    const long = exportedChat([said('first')]);
    expect(await importInto(client, exportFileOf(long))).toMatchObject({ imported: 1, mended: 0 });
    for (let index = 0; index < MANY_MESSAGES; index += 1) long.messages.push(said(String(index)));
    const { chatIds, ...counts } = await importInto(client, exportFileOf(long));
    expect(counts).toMatchObject({ imported: 0, copied: 1 });
    const total = client.service.store.read((reader) =>
      reader.get('SELECT count(*) AS total FROM messages WHERE chat_id = ?', [chatIds[0] ?? '']),
    );
    expect(total).toEqual({ total: MANY_MESSAGES + 1 });
  });
});

describe('a backup', () => {
  const backUp = async (client: TestClient): Promise<Backup> => {
    const answer = await client.post('/api/v1/backups');
    expect(answer.status, answer.text).toBe(201);
    return answer.json<{ backup: Backup }>().backup;
  };
  const restore = (client: TestClient, name: string) => client.post(`/api/v1/backups/${name}/restore`);

  it('brings back chats that were removed for good, and changes nothing else', async () => {
    const client = await serviceWithChats();
    const before = await everything(client);
    const { name } = await backUp(client);
    const [gone] = before as Chat[];
    await client.request({ method: 'DELETE', path: `/api/v1/chats/${gone?.id ?? ''}?permanent=true` });
    expect(await everything(client)).toHaveLength(before.length - 1);
    const result = (await restore(client, name)).json<ImportResult>();
    expect(result).toMatchObject({ skipped: before.length - 1 });
    expect(result.imported + result.copied).toBe(1);
    const titles = (list: unknown[]): string[] => (list as Chat[]).map(({ title }) => title).sort();
    expect(titles(await everything(client))).toEqual(titles(before));
    expect((await restore(client, name)).json<ImportResult>().imported).toBe(0);
  });

  it('makes workspaces, notes and prompts anew in a store that has none of them', async () => {
    const here = await serviceWithChats();
    await here.settled(
      (await here.send((await here.createChat()).id, 'remember that the key is under the mat')).id,
    );
    await here.post('/api/v1/prompts', { name: 'Explain', text: 'Explain {{topic}}' });
    const { name } = await backUp(here);
    const there = await startTestService();
    await backUp(there);
    const from = join(here.service.dataDir, 'backups', name);
    await writeFile(join(there.service.dataDir, 'backups', name), await readFile(from));
    expect((await restore(there, name)).json<ImportResult>()).toMatchObject({ imported: 4, skipped: 0 });
    // It has nothing else, so they go into its own.
    const { workspaceId } = there.service;
    const notes = there.service.store.read((reader) =>
      reader.all('SELECT text FROM notes WHERE workspace_id = ?', [workspaceId]),
    );
    expect(notes).toHaveLength(1);
    const prompts = there.service.store.read((reader) => listPrompts(reader, workspaceId));
    expect(prompts).toMatchObject([{ name: 'Explain', text: 'Explain {{topic}}' }]);
    expect(there.service.store.read(listWorkspaces)).toHaveLength(1);
    expect(await everything(there)).toHaveLength(4);
  });

  const restoreFile = (client: TestClient, body: Buffer) =>
    client.request({
      method: 'POST',
      path: '/api/v1/backups/restore',
      headers: { 'content-type': 'application/gzip' },
      body,
    });
  const fileOf = async (client: TestService): Promise<Buffer> =>
    readFile(join(client.service.dataDir, 'backups', (await backUp(client)).name));

  it('becomes the workspace of a Parley without chats, with its name and settings, and is found again', async () => {
    const here = await serviceWithChats();
    const patch = (path: string, json: object) => here.request({ method: 'PATCH', path, json });
    await patch(`/api/v1/workspaces/${here.service.workspaceId}`, { name: 'Work' });
    const instructions = 'Answer in British English.';
    const settings = { theme: 'dark', instructions, port: 4150, allowedOrigins: ['https://example.com'] };
    await patch('/api/v1/settings', settings);
    await here.post('/api/v1/workspaces', { name: 'Second' });
    const file = await fileOf(here);
    const there = await startTestService();
    const { workspaceId: own } = there.service;
    const result = (await restoreFile(there, file)).json<ImportResult>();
    expect(result).toMatchObject({
      imported: 3,
      workspaces: [{ id: own, name: 'Work' }, { name: 'Second' }],
    });
    expect(result.workspaces?.[0]?.chatIds.toSorted()).toEqual(result.chatIds.toSorted());
    expect(await everything(there)).toHaveLength(3);
    expect((await there.get('/api/v1/settings')).json<{ settings: object }>().settings).toMatchObject({
      theme: 'dark',
      instructions,
      port: null,
      allowedOrigins: [],
    });
    expect((await restoreFile(there, file)).json()).toMatchObject({ imported: 0, copied: 0, skipped: 3 });
    expect(there.service.store.read(listWorkspaces)).toHaveLength(2);
    expect(await readdir(there.service.dataDir)).not.toContain('import.tmp');
  });

  it('is told apart from a workspace of the same name that has chats', async () => {
    const here = await serviceWithChats();
    const json = { theme: 'dark', instructions: 'Answer briefly.' };
    await here.request({ method: 'PATCH', path: '/api/v1/settings', json });
    const file = await fileOf(here);
    const there = await startTestService();
    await there.createChat();
    const result = (await restoreFile(there, file)).json<ImportResult>();
    expect(result).toMatchObject({ imported: 3, workspaces: [{ name: 'Personal (2)' }] });
    expect(result.workspaces?.[0]?.id).not.toBe(there.service.workspaceId);
    expect(await everything(there)).toHaveLength(1);
    expect((await restoreFile(there, file)).json()).toMatchObject({ imported: 0, skipped: 3 });
    // Of the settings, only the instructions for every chat come along, and they replace none.
    const settingsOf = async (): Promise<object> =>
      (await there.get('/api/v1/settings')).json<{ settings: object }>().settings;
    expect(await settingsOf()).toMatchObject({ theme: 'system', instructions: 'Answer briefly.' });
    await there.request({ method: 'PATCH', path: '/api/v1/settings', json: { instructions: 'Mine.' } });
    await restoreFile(there, file);
    expect(await settingsOf()).toMatchObject({ instructions: 'Mine.' });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no backup', Buffer.from('{"format":"parley-export"}')],
    ['a backup that is cut off at once', gzipSync('{').subarray(0, 8)],
  ])('is refused from a file with %s', async (_, body) => {
    const { status } = await restoreFile(empty, body);
    expect(status).toBe(400);
    expect((await empty.get('/api/v1/backups')).json<BackupList>().backups).toEqual([]);
  });

  it('is listed newest first, can be downloaded and deleted, and is its owner’s alone', async () => {
    const client = await serviceWithChats();
    const first = await backUp(client);
    const second = await backUp(client);
    const list = async (): Promise<Backup[]> =>
      (await client.get('/api/v1/backups')).json<BackupList>().backups;
    expect(await list()).toEqual([second, first]);
    const folder = join(client.service.dataDir, 'backups');
    expect(await modeOf(folder)).toBe(PRIVATE_FOLDER);
    expect(await modeOf(join(folder, first.name))).toBe(PRIVATE_FILE);
    const download = await client.get(`/api/v1/backups/${first.name}`);
    expect(download.headers['content-type']).toBe('application/gzip');
    expect(download.headers['content-length']).toBe(String(first.bytes));
    const info = (await client.get('/api/v1/data')).json<DataInfo>();
    expect(info).toMatchObject({
      dataDir: client.service.dataDir,
      chats: 3,
      messages: 4,
      deletedChats: 0,
      backupBytes: first.bytes + second.bytes,
    });
    expect(info.storeBytes).toBeGreaterThan(0);

    const removed = await client.request({ method: 'DELETE', path: `/api/v1/backups/${first.name}` });
    expect(removed.json()).toEqual({ backup: first });
    expect(await list()).toEqual([second]);
    expect(await readdir(folder)).toEqual([second.name]);
  });

  it('never holds a key', async () => {
    const client = await serviceWithChats();
    const { name } = await backUp(client);
    const text = gunzipSync(await readFile(join(client.service.dataDir, 'backups', name))).toString();
    expect(JSON.parse(text)).toMatchObject({ format: 'parley-backup', version: 1 });
    expect(text).not.toContain(client.service.apiKey);
    expect(text).not.toContain('"digest"');
  });

  it('is not restored when nothing of it can be read, and as far as it can be read else', async () => {
    const client = await startTestService();
    const chats = ['a', 'b', 'c'].map((title) => exportedChat([said(`in ${title}`)], { title }));
    await importInto(client, exportFileOf(...chats));
    const { name } = await backUp(client);
    const path = join(client.service.dataDir, 'backups', name);
    const whole = await readFile(path);
    for (const { chat } of chats)
      await client.request({ method: 'DELETE', path: `/api/v1/chats/${chat.id}?permanent=true` });
    await writeFile(path, 'not a backup');
    const refused = await restore(client, name);
    expect([refused.status, refused.error().code], refused.text).toEqual([400, 'invalid_request']);
    expect(refused.error().message).toContain('Nothing was changed');
    expect(await everything(client)).toEqual([]);
    await writeFile(path, whole.subarray(0, -12));
    const result = (await restore(client, name)).json<ImportResult>();
    expect(result).toMatchObject({ imported: 3, mended: 0 });
    expect(result.problems.at(-1)?.what).toContain('ends too early');
  });

  it('is sound although a message of an earlier version is odd, which is told, and comes back', async () => {
    const client = await serviceWithChats();
    const [chat] = (await client.get('/api/v1/chats')).json<ChatList>().data.slice(-1);
    const deep = `[{"id":"1","tool":"t","status":"done","input":${'['.repeat(1_200)}${']'.repeat(1_200)}}]`;
    await client.service.store.write((writer) =>
      writer.run(
        `UPDATE messages SET steps = ?, usage = '{"inputTokens":1.5}', content = ? WHERE chat_id = ? AND role = 'assistant'`,
        [deep, 'x'.repeat(5_000_000), chat?.id ?? ''],
      ),
    );
    const answer = await client.post('/api/v1/backups');
    const { backup, ...found } = answer.json<CreatedBackup>();
    expect([answer.status, found]).toMatchObject([201, { mended: 1, leftOut: 0 }]);
    await client.request({ method: 'DELETE', path: `/api/v1/chats/${chat?.id ?? ''}?permanent=true` });
    expect((await restore(client, backup.name)).json<ImportResult>()).toMatchObject({
      imported: 1,
      mended: 1,
      leftOut: 0,
    });
    expect((await client.messages(chat?.id ?? ''))[1]).toMatchObject({ usage: { inputTokens: 2 } });
  });

  it.each([
    'x.json.gz',
    '..%2Flocal-key',
    '..%2f..%2fetc%2fpasswd',
    'parley-2026-11-20T09-30-00.json.gz',
    '%00',
  ])('is not found under the name %s', async (name) => {
    for (const [method, path] of [
      ['GET', name],
      ['DELETE', name],
      ['POST', `${name}/restore`],
    ] as const) {
      const answer = await empty.request({ method, path: `/api/v1/backups/${path}` });
      expect([answer.status, answer.error().code]).toEqual([404, 'backup_not_found']);
    }
  });

  it('is made one at a time', async () => {
    const client = await serviceWithChats();
    const answers = await Promise.all([1, 2, 3].map(() => client.post('/api/v1/backups')));
    expect(answers.map(({ status }) => status)).toContain(201);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, answer.error().code]).toEqual([409, 'conflict']);
    }
  });
});

describe('scopes', () => {
  it('let a chat key export and import, and keep backups for admin keys', async () => {
    const made = await empty.post('/api/v1/keys', {
      name: 'chat only',
      workspaceId: empty.service.workspaceId,
    });
    const { apiKey: key } = made.json<{ apiKey: string }>();
    expect((await empty.get(EXPORT, { key })).status).toBe(200);
    expect((await empty.post('/api/v1/import', exportFileOf(), { key })).status).toBe(200);
    for (const [method, path] of [
      ['GET', '/api/v1/data'],
      ['GET', '/api/v1/backups'],
      ['POST', '/api/v1/backups'],
      ['GET', '/api/v1/backups/x'],
      ['DELETE', '/api/v1/backups/x'],
      ['POST', '/api/v1/backups/x/restore'],
    ] as const) {
      expect((await empty.request({ method, path, key })).status, path).toBe(403);
    }
  });
});
