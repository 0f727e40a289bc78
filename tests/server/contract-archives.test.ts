/** Chats of other apps: what becomes of their exports, over HTTP. */
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportPreview, ImportProgress, ImportResult } from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import {
  archiveOf,
  claudeChat,
  claudeMessage,
  gptChat,
  gptText,
  lmChat,
  lmReply,
  lmUser,
  plainGptChat,
  timeAt,
  webuiChat,
  zipOf,
} from '../support/archives.ts';
import { exportedChat, exportFileOf, said } from '../support/exported.ts';
import {
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestClient,
} from '../support/service.ts';

const ZIP = { 'content-type': 'application/zip' };
const JSON_FILE = { 'content-type': 'application/json' };

const client = await startSharedService();

const send = (path: string, file: unknown, to: TestClient = client): Promise<TestAnswer> =>
  to.post(path, undefined, {
    body: Buffer.isBuffer(file) ? file : JSON.stringify(file),
    headers: Buffer.isBuffer(file) && file.subarray(0, 2).toString() === 'PK' ? ZIP : JSON_FILE,
  });

async function bringIn(file: unknown, to: TestClient = client): Promise<ImportResult> {
  const answer = await send('/api/v1/import', file, to);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<ImportResult>();
}

async function preview(file: unknown): Promise<ImportPreview> {
  const answer = await send('/api/v1/import/preview', file);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<ImportPreview>();
}

/** The messages of the only chat in a file. */
async function messagesOf(file: unknown): Promise<Message[]> {
  const result = await bringIn(file);
  expect(result).toMatchObject({ imported: 1, copied: 0, skipped: 0, leftOut: 0, mended: 0 });
  return client.messages(result.chatIds[0] ?? '');
}

const show = (messages: readonly Message[]): string[] =>
  messages.map(({ role, content }) => `${role}: ${content}`);

/** Chooses each version of the first message that has several, and shows what is listed then. */
async function branches(chatId: string): Promise<string[][]> {
  const versions = (await client.messages(chatId)).find((message) => message.versions)?.versions ?? [];
  const shown: string[][] = [];
  for (const id of versions) {
    expect((await client.post(`/api/v1/chats/${chatId}/messages/${id}/show`)).status).toBe(200);
    shown.push(show(await client.messages(chatId)));
  }
  return shown;
}

const CODE = 'Here:\n\n```python\nprint("1 < 2 & 3")\n```\n\nDone.';

describe('an archive of ChatGPT', () => {
  it('comes in with titles, times, models and code as they were', async () => {
    const { chatIds } = await bringIn(archiveOf([plainGptChat('What is one?', CODE)]));
    expect(await client.chat(chatIds[0] ?? '')).toMatchObject({
      title: 'A chat with ChatGPT',
      status: 'idle',
      model: 'offline-assistant',
      createdAt: timeAt(0).replace('.000', '.500'),
      updatedAt: timeAt(30),
      archived: false,
    });
    const [question, reply] = await client.messages(chatIds[0] ?? '');
    expect(question).toMatchObject({ content: 'What is one?', createdAt: timeAt(1).replace('.000', '.123') });
    expect(reply).toMatchObject({
      content: CODE,
      model: 'gpt-4o',
      status: 'complete',
      replyTo: question?.id,
    });
  });

  it('goes on here like any other chat', async () => {
    const { chatIds } = await bringIn(archiveOf([plainGptChat('Hello', 'Hi')]));
    const chatId = chatIds[0] ?? '';
    await client.send(chatId, 'What is 12.5% of 1840?');
    await client.settled(chatId);
    expect((await client.messages(chatId)).at(-1)?.content).toContain('230');
  });

  it('keeps every version: edits, and replies that were made anew', async () => {
    const user = (text: string) => ({ role: 'user', content: gptText(text), minute: 1 });
    const reply = (text: string) => ({ role: 'assistant', content: gptText(text), minute: 2 });
    const chat = gptChat(
      [
        ['root', null, null],
        ['q1', 'root', user('first try')],
        ['a1', 'q1', reply('to the first')],
        ['a2', 'q1', reply('to the first, anew')],
        ['q3', 'a2', user('and on')],
        ['a3', 'q3', reply('on')],
        ['q2', 'root', user('second try')],
        ['a4', 'q2', reply('to the second')],
      ],
      { current_node: 'a3' },
    );
    const { chatIds } = await bringIn([chat]);
    const chatId = chatIds[0] ?? '';
    const shown = ['user: first try', 'assistant: to the first, anew', 'user: and on', 'assistant: on'];
    expect(show(await client.messages(chatId))).toEqual(shown);
    expect(await branches(chatId)).toEqual([
      ['user: first try', 'assistant: to the first'],
      shown,
      ['user: second try', 'assistant: to the second'],
    ]);
    const [{ versions = [], retries } = {}] = await client.messages(chatId);
    expect(retries).toEqual([{ id: versions[1], retryOf: versions[0] }]);
  });

  it('shows calls of tools as steps, thoughts as reasoning, and tells what stays behind', async () => {
    const chat = gptChat([
      ['root', null, null],
      [
        'sys',
        'root',
        {
          role: 'system',
          content: gptText('You are ChatGPT.'),
          metadata: { is_visually_hidden_from_conversation: true },
        },
      ],
      [
        'me',
        'sys',
        {
          role: 'user',
          content: { content_type: 'user_editable_context', user_instructions: 'Be brief' },
          metadata: { is_visually_hidden_from_conversation: true },
        },
      ],
      [
        'q',
        'me',
        {
          role: 'user',
          content: {
            content_type: 'multimodal_text',
            parts: [
              { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1' },
              'What is this?',
            ],
          },
          metadata: {
            attachments: [
              { id: 'file-1', name: 'cat.png', mime_type: 'image/png' },
              { id: 'file-2', name: 'notes [1].pdf', mime_type: 'application/pdf' },
            ],
          },
        },
      ],
      [
        't',
        'q',
        {
          role: 'assistant',
          content: { content_type: 'thoughts', thoughts: [{ summary: 'Looking', content: 'A cat?' }] },
        },
      ],
      [
        'c',
        't',
        {
          role: 'assistant',
          content: { content_type: 'code', language: 'unknown', text: '{"code": "1 + 1"}' },
          recipient: 'python',
        },
      ],
      ['o', 'c', { role: 'tool', name: 'python', content: { content_type: 'execution_output', text: '2' } }],
      ['d', 'o', { role: 'assistant', content: gptText('{"prompt":"a cat"}'), recipient: 'dalle.text2im' }],
      [
        'p',
        'd',
        {
          role: 'tool',
          name: 'dalle.text2im',
          content: { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer' }] },
        },
      ],
      [
        'a',
        'p',
        {
          role: 'assistant',
          content: gptText(
            'Two cats \ue200cite\ue202turn0search1\ue201of \ue200entity\ue202["city","Rome","a city"]\ue201.',
          ),
          metadata: { model_slug: 'o3' },
        },
      ],
    ]);
    const file = archiveOf([chat]);
    expect(await preview(file)).toMatchObject({
      app: 'chatgpt',
      omitted: { images: 2, files: 1, recordings: 0, instructions: 2 },
    });
    const [question, reply, ...rest] = await messagesOf(file);
    expect(rest).toEqual([]);
    expect(question?.content).toBe(
      '[image not brought over]\n\nWhat is this?\n\n[file not brought over: notes 1 .pdf]',
    );
    expect(reply).toMatchObject({
      content: '[image not brought over]\n\nTwo cats of Rome.',
      reasoning: 'Looking\n\nA cat?',
      model: 'o3',
      steps: [
        { tool: 'python', status: 'done', input: { code: '1 + 1' }, output: '2', textBefore: 0 },
        { tool: 'dalle.text2im', status: 'done', input: { prompt: 'a cat' } },
      ],
    });
  });

  it('in several files, as large ones are, comes in whole', async () => {
    const file = zipOf([
      { name: 'export/conversations-000.json', data: JSON.stringify([plainGptChat('one', 'I')]) },
      { name: 'export/conversations-001.json', data: JSON.stringify([plainGptChat('two', 'II')]) },
      { name: '__MACOSX/export/._conversations-000.json', data: 'no JSON' },
      { name: '../../conversations.txt', data: 'not looked at' },
    ]);
    expect(await bringIn(file)).toMatchObject({ imported: 2, leftOut: 0 });
  });

  it('is read however it was packed', async () => {
    const data = JSON.stringify([plainGptChat('a', 'b')]);
    expect(await bringIn(zipOf([{ name: 'conversations.json', data, isStored: true }]))).toMatchObject({
      imported: 1,
    });
    expect(await bringIn(zipOf([{ name: 'conversations.json', data }], true))).toMatchObject({ skipped: 1 });
  });

  it('goes by its first question when it has no title, and by what it has when little is known', async () => {
    const bare = plainGptChat('Where is **Rome**?', 'In Italy', {
      title: null,
      create_time: null,
      update_time: null,
    });
    const { chatIds } = await bringIn([bare]);
    expect(await client.chat(chatIds[0] ?? '')).toMatchObject({
      title: 'Where is Rome?',
      createdAt: timeAt(1).replace('.000', '.123'),
    });
  });

  it('leaves out what is damaged, says which, and brings in the rest', async () => {
    const chats = [
      plainGptChat('good', 'yes'),
      { mapping: null },
      gptChat([['root', null, null]], { title: 'Empty' }),
      7,
      plainGptChat('circle', 'x', {
        mapping: { a: { parent: 'b', message: null }, b: { parent: 'a', message: null } },
        title: 'Circle',
      }),
    ];
    const found = {
      leftOut: 4,
      problems: [{ chat: 2 }, { chat: 3, title: 'Empty' }, { chat: 4 }, { chat: 5, title: 'Circle' }],
    };
    expect(await preview(chats)).toMatchObject({ chats: 1, messages: 2, imported: 1, ...found });
    expect(await bringIn(chats)).toMatchObject({ imported: 1, ...found });
  });

  it('takes a chat of many thousand messages and one of many versions', async () => {
    type Links = Parameters<typeof gptChat>[0];
    const long: Links = [['0', null, null]];
    for (let at = 1; at <= 6_000; at += 1)
      long.push([
        String(at),
        String(at - 1),
        { role: at % 2 ? 'user' : 'assistant', content: gptText(`m${at}`) },
      ]);
    const wide: Links = [['q', null, { role: 'user', content: gptText('x'.repeat(100_000)) }]];
    for (let at = 0; at < 400; at += 1)
      wide.push([`a${at}`, 'q', { role: 'assistant', content: gptText(`r${at}`) }]);
    const result = await bringIn([gptChat(long), gptChat(wide, { title: 'Wide' })]);
    expect(result).toMatchObject({ imported: 2, mended: 1, problems: [{ chat: 2, title: 'Wide' }] });
    expect(await client.messages(result.chatIds[0] ?? '')).toHaveLength(6_000);
    expect(show(await client.messages(result.chatIds[1] ?? '')).at(-1)).toBe('assistant: r399');
  });
});

describe('an archive of Claude', () => {
  it('comes in with attached texts, tools and thoughts', async () => {
    const file = archiveOf([
      claudeChat([
        claudeMessage('human', 'Read this', 1, {
          attachments: [
            { file_name: 'a.md', file_size: 9, file_type: 'txt', extracted_content: '```\ncode\n```' },
            { file_name: 'b`.txt', file_size: 2, file_type: 'txt', extracted_content: 'b' },
          ],
          files: [{ file_name: 'photo.png' }, { file_name: 'a.md' }],
        }),
        claudeMessage('assistant', 'This block is not supported', 2, {
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 't1', name: 'web_search', input: { query: 'rome' } },
            {
              type: 'tool_result',
              tool_use_id: 't1',
              content: [{ type: 'text', text: 'found' }],
              is_error: false,
            },
            { type: 'text', text: 'Found it.' },
          ],
        }),
      ]),
    ]);
    expect(await preview(file)).toMatchObject({
      app: 'claude',
      chats: 1,
      messages: 2,
      firstAt: timeAt(1),
      lastAt: timeAt(2),
      omitted: { images: 1, files: 0, instructions: 0 },
    });
    const [question, reply] = await messagesOf(file);
    expect(question?.content).toBe(
      "Read this\n\n````md a.md\n```\ncode\n```\n````\n\n```text b'.txt\nb\n```\n\n[image not brought over: photo.png]",
    );
    expect(reply).toMatchObject({
      content: 'Let me look.\n\nFound it.',
      reasoning: 'Hm.',
      steps: [
        { tool: 'web_search', status: 'done', input: { query: 'rome' }, output: 'found', textBefore: 12 },
      ],
    });
  });

  it('is read where messages have only a text, and where they name the one before', async () => {
    const old = claudeChat([
      claudeMessage('human', 'old', 1, { content: undefined }),
      claudeMessage('assistant', 'reply', 2, { content: [] }),
    ]);
    expect(show(await messagesOf([old]))).toEqual(['user: old', 'assistant: reply']);
    const [q, a, b] = ['q', 'a', 'b'].map((uuid) => ({ uuid }));
    const tree = claudeChat(
      [
        claudeMessage('human', 'asked', 1, {
          ...q,
          parent_message_uuid: '00000000-0000-4000-8000-000000000000',
        }),
        claudeMessage('assistant', 'one', 2, { ...a, parent_message_uuid: 'q' }),
        claudeMessage('assistant', 'two', 3, { ...b, parent_message_uuid: 'q' }),
      ],
      { current_leaf_message_uuid: 'a' },
    );
    const { chatIds } = await bringIn([tree]);
    expect(show(await client.messages(chatIds[0] ?? ''))).toEqual(['user: asked', 'assistant: one']);
    expect(await branches(chatIds[0] ?? '')).toEqual([
      ['user: asked', 'assistant: one'],
      ['user: asked', 'assistant: two'],
    ]);
  });
});

describe('an export of Open WebUI', () => {
  it('comes in with the replies of several models as versions', async () => {
    const chat = webuiChat(
      [
        { id: 's', parentId: null, role: 'system', content: 'Be kind.' },
        { id: 'q', parentId: 's', role: 'user', content: 'Hi', files: [{ type: 'file', name: 'data.csv' }] },
        { id: 'a', parentId: 'q', role: 'assistant', content: 'One', model: 'llama3.2:latest' },
        {
          id: 'b',
          parentId: 'q',
          role: 'assistant',
          content:
            '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n&gt; 1 &lt; 2\n&gt; so\n</details>\nTwo',
          model: 'qwen3:4b',
        },
      ],
      'b',
    );
    expect(await preview([chat])).toMatchObject({
      app: 'open-webui',
      omitted: { files: 1, instructions: 1 },
    });
    const { chatIds } = await bringIn([chat]);
    const chatId = chatIds[0] ?? '';
    expect(await client.chat(chatId)).toMatchObject({
      pinned: true,
      createdAt: timeAt(0),
      updatedAt: timeAt(30),
    });
    const [question, reply] = await client.messages(chatId);
    expect(question?.content).toBe('Hi\n\n[file not brought over: data.csv]');
    expect(reply).toMatchObject({ content: 'Two', model: 'qwen3:4b', reasoning: '1 < 2\nso' });
    expect((await branches(chatId))[0]?.[1]).toBe('assistant: One');
  });

  it('is read as one chat, and as older versions wrote it', async () => {
    const { id, chat } = webuiChat([{ id: 'q', parentId: null, role: 'user', content: 'alone' }], 'q');
    expect(show(await messagesOf({ id, chat }))).toEqual(['user: alone']);
    const plain = {
      id: crypto.randomUUID(),
      chat: {
        title: 'Old',
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      },
    };
    expect(show(await messagesOf([plain]))).toEqual(['user: a', 'assistant: b']);
  });
});

describe('a chat of LM Studio', () => {
  const chat = (): Record<string, unknown> =>
    lmChat([lmUser(1, 'draft', 'question'), lmReply('Let me see.', 'Answer'), lmUser(0, 'thanks')]);

  it('comes in as the file that it is, versions and thoughts included', async () => {
    const file = chat();
    expect(await preview(file)).toMatchObject({ app: 'lm-studio', chats: 1, omitted: { instructions: 1 } });
    const { chatIds } = await bringIn(file);
    const chatId = chatIds[0] ?? '';
    expect(await client.chat(chatId)).toMatchObject({ title: 'A chat in LM Studio', updatedAt: timeAt(21) });
    const listed = await client.messages(chatId);
    expect(show(listed)).toEqual(['user: question', 'assistant: Answer', 'user: thanks']);
    expect(listed[1]).toMatchObject({ model: 'qwen3-4b', reasoning: 'Let me see.' });
    expect((await branches(chatId))[0]).toEqual(['user: draft']);
  });

  it('and a whole folder of them, zipped', async () => {
    const folder = [1, 2, 3].map((number) => ({
      name: `conversations/Work/17${number}.conversation.json`,
      data: JSON.stringify(chat()),
    }));
    expect(await bringIn(zipOf(folder))).toMatchObject({ imported: 3, leftOut: 0 });
  });

  it('has the calls of its tools', async () => {
    const reply = {
      versions: [
        {
          type: 'multiStep',
          role: 'assistant',
          steps: [
            {
              type: 'contentBlock',
              content: [
                {
                  type: 'toolCallRequest',
                  callId: 7,
                  toolCallRequestId: '7',
                  name: 'run_javascript',
                  parameters: { code: '6*7' },
                },
              ],
            },
            {
              type: 'contentBlock',
              content: [{ type: 'toolCallResult', toolCallId: '7', content: '{"stdout":"42"}' }],
              roleOverride: 'tool',
            },
            { type: 'contentBlock', content: [{ type: 'text', text: '42' }] },
          ],
        },
      ],
      currentlySelected: 0,
    };
    const [, answer] = await messagesOf(lmChat([lmUser(0, '6*7?'), reply]));
    expect(answer).toMatchObject({
      content: '42',
      model: 'qwen3-4b',
      steps: [{ tool: 'run_javascript', input: { code: '6*7' }, output: { stdout: '42' } }],
    });
  });
});

describe('the same archive again', () => {
  it('says what is here already, and what has changed since comes in as a copy', async () => {
    const [one, two] = [plainGptChat('one', 'I'), plainGptChat('two', 'II')];
    expect(await preview([one, two])).toMatchObject({ chats: 2, imported: 2, skipped: 0 });
    const { chatIds } = await bringIn([one]);
    // What was done with it here since doesn't matter.
    await client.send(chatIds[0] ?? '', 'and more');
    await client.settled(chatIds[0] ?? '');
    expect(await preview([one, two])).toMatchObject({ chats: 2, imported: 1, skipped: 1, copied: 0 });
    expect(await bringIn(archiveOf([one, two]))).toMatchObject({ imported: 1, skipped: 1, copied: 0 });
    const mapping = {
      ...(two['mapping'] as object),
      q2: { parent: 'a', message: { author: { role: 'user' }, content: gptText('later') } },
    };
    const grown = { ...two, mapping, current_node: 'q2' };
    expect(await preview([one, grown])).toMatchObject({ imported: 0, skipped: 1, copied: 1 });
    expect(await bringIn([one, grown])).toMatchObject({ imported: 0, skipped: 1, copied: 1 });
    expect(await bringIn([one, grown])).toMatchObject({ skipped: 2 });
  });

  it('and one chat twice in it comes in once', async () => {
    const chat = plainGptChat('q', 'a');
    expect(await bringIn([chat, chat])).toMatchObject({ imported: 1, leftOut: 1 });
  });
});

describe('a preview', () => {
  it('changes nothing, and tells of an export of Parley as well', async () => {
    const file = exportFileOf(exportedChat([said('one'), said('two')]));
    const expected = { app: 'parley', chats: 1, messages: 2, imported: 1, leftOut: 0 };
    expect(await preview(file)).toMatchObject(expected);
    expect(await preview(file)).toMatchObject(expected);
    expect(await preview(file)).not.toHaveProperty('omitted');
  });

  it('is for keys that may import, into their own workspace', async () => {
    const made = await client.post('/api/v1/keys', {
      name: 'chats only',
      workspaceId: client.service.workspaceId,
    });
    const { apiKey: key } = made.json<{ apiKey: string }>();
    const body = JSON.stringify([plainGptChat('q', 'a')]);
    const elsewhere = '?workspaceId=another';
    for (const path of ['/api/v1/import/preview', '/api/v1/import']) {
      expect((await client.post(path, undefined, { body, headers: JSON_FILE, key })).status).toBe(200);
      expect((await client.post(path + elsewhere, undefined, { body, headers: JSON_FILE, key })).status).toBe(
        403,
      );
      expect((await client.post(path, undefined, { body, headers: JSON_FILE, key: null })).status).toBe(401);
    }
    const progress = await client.get('/api/v1/import', { key });
    expect(progress.json<ImportProgress>()).toEqual({ chats: null });
  });
});

describe('what is no archive that can be read', () => {
  const good = archiveOf([plainGptChat('q', 'a')]);
  const flipped = Buffer.from(good);
  const at = flipped.indexOf('conversations.json') + 40;
  flipped[at] = (flipped[at] ?? 0) ^ 0xff;
  const notUtf8 = Buffer.concat([
    Buffer.from('[{"mapping":{},"title":"é ü'),
    Buffer.from([0xff]),
    Buffer.from('"}]'),
  ]);
  const chats = JSON.stringify([plainGptChat('q', 'a')]);
  const inZip = (more: object): Buffer => zipOf([{ name: 'conversations.json', data: chats, more }]);

  it.each([
    ['an archive that was cut off', good.subarray(0, good.length - 30), 'unsupported_import', 'cut off'],
    ['an archive with a broken byte', flipped, 'unsupported_import', 'damaged'],
    ['an archive with another checksum', inZip({ crc: 1 }), 'unsupported_import', 'damaged'],
    ['an archive that holds more than it says', inZip({ bytes: 10 }), 'unsupported_import', 'damaged'],
    ['an archive with a password', inZip({ flags: 1 }), 'unsupported_import', 'password'],
    ['an archive packed in an odd way', inZip({ method: 99 }), 'unsupported_import', 'packed'],
    [
      'an archive of pictures',
      zipOf([{ name: 'cat.png', data: 'x' }]),
      'unsupported_import',
      'no conversations.json',
    ],
    ['an empty file', Buffer.alloc(0), 'unsupported_import', 'The file is empty.'],
    ['an empty list', [], 'unsupported_import', 'There are no chats'],
    ['an empty archive', zipOf([]), 'unsupported_import', 'no conversations.json'],
    [
      'an archive whose chats are no JSON',
      zipOf([{ name: 'conversations.json', data: 'hello' }]),
      'invalid_json',
      'no JSON',
    ],
    ['two letters', Buffer.from('PK'), 'unsupported_import', 'damaged'],
    ['JSON that was cut off', Buffer.from(chats.slice(0, -1)), 'invalid_json', 'cut off'],
    ['JSON with more behind it', Buffer.from(`${chats}]`), 'invalid_json', 'cut off'],
    ['damaged text', notUtf8, 'invalid_json', 'UTF-8'],
    [
      'the page of an export',
      Buffer.from('\ufeff\n<html><body>[]</body></html>'),
      'unsupported_import',
      'web page',
    ],
    [
      'JSON Lines',
      Buffer.from(`${chats.slice(1, -1)}\r\n\r\n${chats.slice(1, -1)}\r\n`),
      'unsupported_import',
      'conversations.json',
    ],
    ['a table', Buffer.from('title,text\na,b\n'), 'invalid_json', 'no JSON'],
    ['a list of something else', [{ name: 'Rome' }, 1], 'unsupported_import', 'ChatGPT, Claude'],
    ['an object of something else', { name: 'Rome' }, 'unsupported_import', 'ChatGPT, Claude'],
    ['too many chats', Buffer.from(`[${'{},'.repeat(100_000)}{}]`), 'unsupported_import', '100,000'],
  ])('%s is refused in words, and nothing comes in', async (_what, file, code, words) => {
    for (const path of ['/api/v1/import/preview', '/api/v1/import']) {
      const answer = await send(path, file);
      expect([answer.status, answer.error().code], answer.text).toEqual([400, code]);
      expect(answer.error().message).toContain(words);
    }
    expect(existsSync(join(client.service.dataDir, 'import.tmp'))).toBe(false);
  });

  it.each([
    ['says so', {}, 'GiB'],
    ['says it were little', { bytes: 10 }, 'damaged'],
  ])('a small archive that unpacks to very much and %s is refused at once', async (_what, more, words) => {
    const big = zipOf([{ name: 'conversations-0.json', data: `[${' '.repeat(32 * 1024 ** 2)}]`, more }]);
    // One and the same list of spaces, named so often that it would come to more than 1 GiB.
    const answering = send('/api/v1/import', repeated(big, 33));
    expect((await client.get('/api/v1/chats')).status).toBe(200);
    const answer = await answering;
    expect([answer.status, answer.error().code]).toEqual([400, 'unsupported_import']);
    expect(answer.error().message).toContain(words);
  });

  it.each([
    ['text/html; charset=utf-8', '<!doctype html><p>'],
    ['application/x-ndjson', '{"a":1}\n{"b":2}\n'],
    ['application/jsonl', '{"a":1}\n{"b":2}\n'],
  ])('a body of %s is refused by what it is', async (type, body) => {
    const answer = await client.post('/api/v1/import', undefined, {
      body,
      headers: { 'content-type': type },
    });
    expect([answer.status, answer.error().code]).toEqual([400, 'unsupported_import']);
    expect(answer.error().message).toContain('conversations.json');
  });

  it('another type of body is refused as ever', async () => {
    const answer = await client.post('/api/v1/import', undefined, {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(415);
  });
});

/** The archive with its only file named so many times. */
function repeated(zip: Buffer, times: number): Buffer {
  const end = zip.subarray(-22);
  const listAt = end.readUInt32LE(16);
  const entry = zip.subarray(listAt, -22);
  const tail = Buffer.from(end);
  tail.writeUInt16LE(times, 10);
  tail.writeUInt32LE(entry.length * times, 12);
  return Buffer.concat([zip.subarray(0, listAt), ...Array.from({ length: times }, () => entry), tail]);
}

it('a preview that nobody waits for any more makes room for the next at once', async () => {
  const many = Array.from({ length: 15_000 }, (_, at) => plainGptChat(`Question ${at}`, 'a'.repeat(2_000)));
  const file = archiveOf(many);
  const leaving = new AbortController();
  const left = fetch(`${client.service.url}/api/v1/import/preview`, {
    method: 'POST',
    headers: { ...ZIP, authorization: `Bearer ${client.service.apiKey}` },
    body: new Uint8Array(file),
    signal: leaving.signal,
  });
  const spool = join(client.service.dataDir, 'import.tmp');
  await expect.poll(() => statSync(spool, { throwIfNoEntry: false })?.size).toBe(file.length);
  leaving.abort();
  await expect(left).rejects.toThrow();
  const { total } = (await client.get('/api/v1/chats')).json<{ total: number }>();
  expect(await preview([plainGptChat('next', 'yes'), 7])).toMatchObject({
    imported: 1,
    problems: [{ what: 'This is no chat of ChatGPT, or it is damaged or too large, so it is left out.' }],
  });
  expect((await client.get('/api/v1/chats')).json<{ total: number }>().total).toBe(total);
});

it('an import that a kill ended leaves no file of it behind', async () => {
  const first = await startTestService();
  const { dataDir } = first.service;
  await first.service.close();
  await writeFile(join(dataDir, 'import.tmp'), 'half of an archive');
  await startTestService({ dataDir });
  expect(existsSync(join(dataDir, 'import.tmp'))).toBe(false);
});
