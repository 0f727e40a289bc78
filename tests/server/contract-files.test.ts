/** Files of messages: uploaded or sent along, listed, read, and gone with their messages. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Attachment, FileAnswer } from '../../shared/api/attachment.ts';
import type { Message } from '../../shared/api/message.ts';
import { MAX_ATTACHMENT_BYTES } from '../../shared/limits.ts';
import { base64, namesOnDisk, PNG, sha256Of, textFile, upload, uploaded } from '../support/files.ts';
import {
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestService,
} from '../support/service.ts';

const CSV = 'city,price\nRome,12\n';

/** For tests that read only the files that they sent. */
const shared = await startSharedService();
/** Never gets a file. */
const empty = await startSharedService();

const read = (service: TestService, id: string, options = {}): Promise<TestAnswer> =>
  service.get(`/api/v1/files/${id}`, options);

/** Sends a message with files in a new chat. */
async function sendFiles(
  service: TestService,
  attachments: unknown[],
  content = 'See here',
): Promise<{ chatId: string; message: Message }> {
  const { id: chatId } = await service.createChat();
  await service.send(chatId, content, { attachments });
  await service.settled(chatId);
  const [message] = await service.messages(chatId);
  if (message === undefined) throw new Error('There is no message.');
  return { chatId, message };
}

async function keyOf(service: TestService, workspaceId: string): Promise<string> {
  const made = await service.post('/api/v1/keys', { name: 'bot', scope: 'chat', workspaceId });
  return made.json<{ apiKey: string }>().apiKey;
}

describe('an upload', () => {
  it('is answered with what it is, and read byte for byte, as a file and never as a page', async () => {
    const service = await startTestService();
    const made = await upload(service, 'cat.png', PNG);
    expect(made.status).toBe(201);
    const { file } = made.json<FileAnswer>();
    expect(file).toEqual({
      id: expect.any(String) as string,
      name: 'cat.png',
      kind: 'image',
      mediaType: 'image/png',
      bytes: PNG.length,
      width: 1,
      height: 1,
    });
    expect(made.headers['location']).toBe(`/api/v1/files/${file.id}`);
    const answer = await read(service, file.id);
    expect([answer.status, answer.headers['content-type'], answer.headers['content-length']]).toEqual([
      200,
      'image/png',
      String(PNG.length),
    ]);
    expect(answer.text).toBe(PNG.toString('utf8'));
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="cat.png"; filename*=UTF-8''cat.png`,
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect((await service.request({ method: 'HEAD', path: `/api/v1/files/${file.id}` })).status).toBe(200);
    expect(await namesOnDisk(service.service.dataDir)).toEqual([sha256Of(PNG)]);
  });

  it('is taken back by DELETE, and its bytes with the last of its kind', async () => {
    const service = await startTestService();
    const [one, other] = [await uploaded(service, 'a.csv', CSV), await uploaded(service, 'b.csv', CSV)];
    expect(await namesOnDisk(service.service.dataDir)).toEqual([sha256Of(CSV)]);
    const remove = (id: string): Promise<TestAnswer> =>
      service.request({ method: 'DELETE', path: `/api/v1/files/${id}` });
    expect((await remove(one)).json<FileAnswer>().file.name).toBe('a.csv');
    expect((await read(service, one)).error().code).toBe('file_not_found');
    expect((await remove(one)).error().code).toBe('file_not_found');
    expect((await read(service, other)).text).toBe(CSV);
    expect((await remove(other)).status).toBe(200);
    expect(await namesOnDisk(service.service.dataDir)).toEqual([]);
  });

  it('belongs to the workspace of its key', async () => {
    const service = await startTestService();
    const other = (await service.post('/api/v1/workspaces', { name: 'Other' })).json<{
      workspace: { id: string };
    }>().workspace.id;
    const stranger = await keyOf(service, other);
    const id = await uploaded(service, 'a.csv', CSV);
    for (const method of ['GET', 'DELETE'])
      expect(
        (await service.request({ method, path: `/api/v1/files/${id}`, key: stranger })).error().code,
      ).toBe('file_not_found');
    const chat = await service.post('/api/v1/chats', {}, { key: stranger });
    const sent = await service.post(
      `/api/v1/chats/${chat.json<{ id: string }>().id}/messages`,
      { content: 'x', attachments: [{ fileId: id }] },
      { key: stranger },
    );
    expect([sent.status, sent.error().code]).toEqual([404, 'file_not_found']);
    expect((await read(service, id)).status).toBe(200);
    expect((await read(service, id, { key: null })).status).toBe(401);
  });

  it.each([
    ['a path', '/etc/passwd', 'passwd'],
    ['a path of Windows', 'C:\\Users\\ada\\prices.csv', 'prices.csv'],
    ['a path that climbs', '../../../x.txt', 'x.txt'],
    ['a NUL and line breaks', 'a\0b\r\nc.txt', 'a b c.txt'],
    ['marks that turn the order of letters', 'gnp.\u202Ecod.txt', 'gnp. cod.txt'],
    ['half a letter', 'a\ud800.txt', 'a\ufffd.txt'],
    ['another script', 'цены и 価格 🎉.csv', 'цены и 価格 🎉.csv'],
  ])('has a name that is one, whatever was told: %s', async (_what, reported, name) => {
    const { message } = await sendFiles(shared, [{ name: reported, data: base64(CSV) }]);
    expect(message.attachments?.[0]?.name).toBe(name);
    const answer = await read(shared, message.attachments?.[0]?.id ?? '');
    expect([answer.status, answer.text]).toEqual([200, CSV]);
  });

  it.each([
    ['without a name', '/api/v1/files', CSV, 400],
    ['with an empty name', '/api/v1/files?name=', CSV, 400],
    ['with a name of dots', '/api/v1/files?name=%2E%2E', CSV, 400],
    ['with a name too long', `/api/v1/files?name=${'x'.repeat(201)}`, CSV, 400],
    ['of nothing', '/api/v1/files?name=a.txt', '', 400],
    ['of a program', '/api/v1/files?name=a.png', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0', 'latin1'), 415],
    ['of an archive', '/api/v1/files?name=a.docx', Buffer.from('PK\x03\x04xxxxxxxxxxxxxxxxxxxxxxxx'), 415],
    ['of broken text', '/api/v1/files?name=a.txt', Buffer.from([0x61, 0xc3, 0x28]), 415],
    ['of more than 20 MiB', '/api/v1/files?name=a.txt', textFile(MAX_ATTACHMENT_BYTES + 1), 413],
  ])('%s is refused in words, and leaves nothing behind', async (_what, path, body, status) => {
    const answer = await empty.request({ method: 'POST', path, body });
    expect(answer.status).toBe(status);
    expect(answer.error().message).toMatch(/^["A-Z].*\.$/);
    expect(await namesOnDisk(empty.service.dataDir)).toEqual([]);
    expect(empty.log).toEqual([]);
  });

  it('may be as large as it may, and come in pieces of no told length', async () => {
    const service = await startTestService();
    const body = textFile(MAX_ATTACHMENT_BYTES);
    expect((await upload(service, 'a.txt', body)).status).toBe(201);
    const chunked = await upload(service, 'b.txt', body, { headers: { 'transfer-encoding': 'chunked' } });
    expect(chunked.json<FileAnswer>().file.bytes).toBe(MAX_ATTACHMENT_BYTES);
    expect(await namesOnDisk(service.service.dataDir)).toEqual([sha256Of(body)]);
  });

  it('is taken as bytes, whatever its content type says', async () => {
    const service = await startTestService();
    for (const type of ['application/json', 'text/html', 'multipart/form-data; boundary=x', 'nonsense']) {
      const made = await upload(service, 'a.json', '{"broken', { headers: { 'content-type': type } });
      expect([type, made.status, made.json<FileAnswer>().file.mediaType]).toEqual([
        type,
        201,
        'application/json',
      ]);
    }
  });

  it('can come 200 at once', async () => {
    const service = await startTestService();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        upload(service, `${index}.txt`, textFile(50_000, String(index % 50))),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await namesOnDisk(service.service.dataDir)).toHaveLength(50);
  });
});

describe('a message', () => {
  it('has the files that came with it, in order, uploaded and sent along alike', async () => {
    const service = await startTestService();
    const id = await uploaded(service, 'cat.png', PNG);
    const { chatId, message } = await sendFiles(service, [
      { name: 'prices.csv', data: base64(CSV) },
      { fileId: id },
    ]);
    expect(message.attachments?.map(({ name, kind, mediaType }) => [name, kind, mediaType])).toEqual([
      ['prices.csv', 'text', 'text/csv'],
      ['cat.png', 'image', 'image/png'],
    ]);
    expect(message.attachments?.[1]?.id).toBe(id);
    const single = await service.get(`/api/v1/chats/${chatId}/messages/${message.id}`);
    expect(single.json<{ message: Message }>().message.attachments).toEqual(message.attachments);
    expect((await read(service, message.attachments?.[0]?.id ?? '')).text).toBe(CSV);
    const kept = await service.request({ method: 'DELETE', path: `/api/v1/files/${id}` });
    expect([kept.status, kept.error().code]).toEqual([409, 'conflict']);
  });

  it('may say nothing when it has files; its chat is named after the first', async () => {
    const service = await startTestService();
    const { chatId } = await sendFiles(service, [{ name: 'prices.csv', data: base64(CSV) }], '');
    expect((await service.chat(chatId)).title).toBe('prices.csv');
    const refused = await service.post(`/api/v1/chats/${chatId}/messages`, { content: ' ', attachments: [] });
    expect([refused.status, refused.error().details?.[0]?.path]).toEqual([400, '/content']);
  });

  it('gets a copy of what another message has, which goes on its own', async () => {
    const service = await startTestService();
    const first = await sendFiles(service, [{ name: 'prices.csv', data: base64(CSV) }]);
    const id = first.message.attachments?.[0]?.id ?? '';
    const second = await sendFiles(service, [{ fileId: id }, { fileId: id }]);
    const ids = second.message.attachments?.map((file) => file.id) ?? [];
    expect(new Set([id, ...ids]).size).toBe(3);
    expect(await namesOnDisk(service.service.dataDir)).toHaveLength(1);
    await service.request({ method: 'DELETE', path: `/api/v1/chats/${first.chatId}?permanent=true` });
    expect((await read(service, id)).error().code).toBe('file_not_found');
    expect((await read(service, ids[0] ?? '')).text).toBe(CSV);
    await service.request({ method: 'DELETE', path: `/api/v1/chats/${second.chatId}?permanent=true` });
    expect(await namesOnDisk(service.service.dataDir)).toEqual([]);
  });

  it('has an upload twice if it is named twice', async () => {
    const service = await startTestService();
    const file = { fileId: await uploaded(service, 'cat.png', PNG) };
    const { message } = await sendFiles(service, [file, file]);
    expect(message.attachments?.map(({ name }) => name)).toEqual(['cat.png', 'cat.png']);
    expect(new Set(message.attachments?.map(({ id }) => id)).size).toBe(2);
  });

  it('is hidden with its files when it is deleted, and comes back with them', async () => {
    const service = await startTestService();
    const { chatId, message } = await sendFiles(service, [{ name: 'a.csv', data: base64(CSV) }]);
    const id = message.attachments?.[0]?.id ?? '';
    const path = `/api/v1/chats/${chatId}/messages/${message.id}`;
    await service.request({ method: 'DELETE', path });
    expect((await read(service, id)).error().code).toBe('file_not_found');
    await service.post(`${path}/restore`);
    expect((await read(service, id)).text).toBe(CSV);
    await service.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}` });
    expect((await read(service, id)).error().code).toBe('file_not_found');
    await service.post(`/api/v1/chats/${chatId}/restore`);
    expect((await read(service, id)).text).toBe(CSV);
  });

  it('keeps its files when it is edited or tried again, unless the edit says which it shall have', async () => {
    const service = await startTestService();
    const { chatId, message } = await sendFiles(service, [
      { name: 'a.csv', data: base64(CSV) },
      { name: 'b.png', data: base64(PNG) },
    ]);
    const last = async (): Promise<Message> => {
      await service.settled(chatId);
      return (await service.messages(chatId))[0] as Message;
    };
    const names = ({ attachments }: Message): string[] | undefined => attachments?.map(({ name }) => name);
    await service.post(`/api/v1/chats/${chatId}/retry`, {});
    const retried = await last();
    expect(names(retried)).toEqual(['a.csv', 'b.png']);
    expect((await read(service, retried.attachments?.[1]?.id ?? '')).status).toBe(200);
    const edit = (of: Message, body: object): Promise<TestAnswer> =>
      service.post(`/api/v1/chats/${chatId}/messages/${of.id}/edit`, { content: 'Again', ...body });
    await edit(retried, { content: '' });
    const edited = await last();
    expect(names(edited)).toEqual(['a.csv', 'b.png']);
    const chosen = [{ fileId: edited.attachments?.[1]?.id }, { name: 'c.md', data: base64('# Hi') }];
    expect((await edit(edited, { attachments: chosen })).status).toBe(200);
    const changed = await last();
    expect(names(changed)).toEqual(['b.png', 'c.md']);
    expect((await edit(changed, { content: '', attachments: [] })).error().code).toBe('invalid_request');
    expect((await edit(changed, { attachments: [] })).status).toBe(200);
    expect(names(await last())).toBeUndefined();
    expect((await read(service, message.attachments?.[0]?.id ?? '')).text).toBe(CSV);
  });

  it('is branched off with files of its own', async () => {
    const service = await startTestService();
    const { chatId, message } = await sendFiles(service, [{ name: 'a.csv', data: base64(CSV) }]);
    const made = await service.post(`/api/v1/chats/${chatId}/messages/${message.id}/branch`, {});
    const branch = made.json<{ chat: { id: string } }>().chat.id;
    await service.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}?permanent=true` });
    const [copy] = (await service.messages(branch))[0]?.attachments ?? [];
    expect(copy).toEqual({ ...message.attachments?.[0], id: copy?.id });
    expect((await read(service, copy?.id ?? '')).text).toBe(CSV);
  });

  it('is made once by an idempotency key, with its files', async () => {
    const service = await startTestService();
    const { id: chatId } = await service.createChat();
    const fileId = await uploaded(service, 'cat.png', PNG);
    const send = (data: string): Promise<TestAnswer> =>
      service.post(
        `/api/v1/chats/${chatId}/messages`,
        { content: 'x', attachments: [{ name: 'a.csv', data: base64(data) }, { fileId }] },
        { headers: { 'idempotency-key': 'one' } },
      );
    const [first, repeat, other] = [await send(CSV), await send(CSV), await send('other')];
    expect([first.status, repeat.text, other.error().code]).toEqual([
      200,
      first.text,
      'idempotency_conflict',
    ]);
    await service.settled(chatId);
    expect((await service.messages(chatId)).filter(({ role }) => role === 'user')).toHaveLength(1);
    expect(await namesOnDisk(service.service.dataDir)).toEqual([sha256Of(CSV), sha256Of(PNG)].sort());
  });

  it.each<[string, unknown[], number, string]>([
    ['an unknown file', [{ fileId: 'nothing' }], 404, 'file_not_found'],
    ['what is no Base64', [{ name: 'a.txt', data: 'data:text/plain;base64,YQ==' }], 400, 'invalid_request'],
    ['an empty file', [{ name: 'a.txt', data: '' }], 400, 'invalid_request'],
    ['a program', [{ name: 'a.txt', data: base64('\0\x01\x02') }], 415, 'unsupported_media_type'],
    ['neither', [{}], 400, 'invalid_request'],
    ['a name of 10 MB', [{ name: 'x'.repeat(10_000_000), data: base64('a') }], 400, 'invalid_request'],
    ['eleven files', Array.from({ length: 11 }, () => ({ name: 'a', data: 'YQ==' })), 400, 'invalid_request'],
    [
      'a good file before a bad one',
      [{ name: 'a.txt', data: base64('good') }, { fileId: 'nothing' }],
      404,
      'file_not_found',
    ],
    [
      'more than 20 MiB in all',
      [
        { name: 'a.txt', data: base64(textFile(MAX_ATTACHMENT_BYTES / 2)) },
        { name: 'b.txt', data: base64(textFile(MAX_ATTACHMENT_BYTES / 2 + 1)) },
      ],
      413,
      'body_too_large',
    ],
  ])('with %s is refused in words, and nothing of it is kept', async (_what, attachments, status, code) => {
    const { id } = await empty.createChat();
    const answer = await empty.post(`/api/v1/chats/${id}/messages`, { content: 'x', attachments });
    expect([answer.status, answer.error().code]).toEqual([status, code]);
    expect(answer.error().message).toMatch(/^["A-Z].*\.$/);
    expect(await empty.messages(id)).toEqual([]);
    expect(await namesOnDisk(empty.service.dataDir)).toEqual([]);
    expect(empty.log).toEqual([]);
  });

  it('is refused in one sentence where a file is of no form that there is', async () => {
    const service = await startTestService();
    const { id } = await service.createChat();
    for (const file of [{}, { name: 'a.txt' }, { id: 'x' }]) {
      const answer = await service.post(`/api/v1/chats/${id}/messages`, {
        content: 'x',
        attachments: [file],
      });
      expect([answer.status, answer.error().message]).toEqual([
        400,
        '"attachments.0" must be { "fileId" } of a file uploaded before, or { "name", "data" }.',
      ]);
    }
  });

  it('has files alone beyond 1 MiB: nothing else is read', async () => {
    const service = await startTestService();
    const { id } = await service.createChat();
    const file = { name: 'a.txt', data: base64(textFile(1_000_000)) };
    for (const [junk, status] of [
      [Array.from({ length: 600_000 }, () => 1), 413],
      [Array.from({ length: 200_000 }, () => '\\"x\\'), 413],
      [Array.from({ length: 20_000 }, () => '\\"x\\'), 200],
    ] as const) {
      const answer = await service.post(`/api/v1/chats/${id}/messages`, {
        content: 'x',
        junk,
        attachments: [file],
      });
      expect(answer.status).toBe(status);
    }
  });

  it('is no longer than it was where no files go along', async () => {
    const service = await startTestService();
    const { id } = await service.createChat();
    const answer = await service.post(`/api/v1/chats/${id}/messages`, { content: 'x'.repeat(1_100_000) });
    expect([answer.status, answer.error().code]).toEqual([413, 'body_too_large']);
  });
});

describe('bytes that something else removed or changed', () => {
  const blobPath = (service: TestService, data: string): string => {
    const sha256 = sha256Of(data);
    return join(service.service.dataDir, 'files', sha256.slice(0, 2), sha256);
  };

  it('are told of in clear words, where they are read and where they would be sent', async () => {
    const service = await startTestService();
    const id = await uploaded(service, 'a.csv', CSV);
    const { id: chatId } = await service.createChat();
    const send = (): Promise<TestAnswer> =>
      service.post(`/api/v1/chats/${chatId}/messages`, { content: 'x', attachments: [{ fileId: id }] });
    for (const damaged of ['short', CSV.replace(/.$/s, '?')]) {
      await writeFile(blobPath(service, CSV), damaged);
      expect((await read(service, id)).error().code).toBe('file_lost');
      expect((await send()).error().code).toBe('file_lost');
      const sound = await uploaded(service, 'b.csv', CSV);
      for (const each of [sound, id]) expect((await read(service, each)).text).toBe(CSV);
    }
    await rm(blobPath(service, CSV));
    const lost = await read(service, id);
    expect([lost.status, lost.error().code]).toEqual([410, 'file_lost']);
    expect(lost.error().message).toMatch(/no longer in Parley’s data folder.*Send the file again/);
    expect((await send()).error().code).toBe('file_lost');
    expect(await service.messages(chatId)).toEqual([]);
    await rm(join(service.service.dataDir, 'files'), { recursive: true });
    const again = await uploaded(service, 'b.csv', CSV);
    expect((await read(service, again)).text).toBe(CSV);
    expect((await read(service, id)).text).toBe(CSV);
    expect((await send()).status).toBe(200);
  });
});

it('tells which files there are by their bytes, never by their names', async () => {
  const service = await startTestService();
  const kinds = async (name: string, data: Buffer): Promise<[Attachment['kind'], string]> => {
    const { kind, mediaType } = (await upload(service, name, data)).json<FileAnswer>().file;
    return [kind, mediaType];
  };
  expect(await kinds('a.txt', PNG)).toEqual(['image', 'image/png']);
  expect(await kinds('a.png', Buffer.from('%PDF-1.7\n\xff', 'latin1'))).toEqual(['pdf', 'application/pdf']);
  const utf16 = Buffer.from('\ufeffcity\n', 'utf16le');
  expect(await kinds('a.csv', utf16)).toEqual(['text', 'text/csv']);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  expect(await kinds('a.svg', svg)).toEqual(['text', 'text/plain']);
  expect(await kinds('a.html', Buffer.from('<script>alert(1)</script>'))).toEqual(['text', 'text/plain']);
  expect(await kinds('a.py', Buffer.from("MAGIC = '%PDF-'\n"))).toEqual(['text', 'text/plain']);
});
