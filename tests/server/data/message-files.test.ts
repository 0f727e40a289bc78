/** Files of messages in exports and backups: they go out with their messages, and come in again or are told to be missing. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CreatedBackup, ExportFile, ImportPreview, ImportResult } from '../../../shared/api/data.ts';
import type { Attachment } from '../../../shared/api/attachment.ts';
import type { Message } from '../../../shared/api/message.ts';
import { MAX_ATTACHMENT_BYTES } from '../../../shared/limits.ts';
import { exportedChat, exportFileOf, said } from '../../support/exported.ts';
import { base64, namesOnDisk, PNG, sha256Of, textFile } from '../../support/files.ts';
import { startTestService, type TestAnswer, type TestService } from '../../support/service.ts';

const CSV = 'city,price\nRome,12\n';

/** A chat of two messages, of which the second has the first one's table and a picture. */
async function makeChat(service: TestService): Promise<string> {
  const { id } = await service.createChat();
  const table = { name: 'prices.csv', data: base64(CSV) };
  await service.send(id, 'One', { attachments: [table] });
  await service.settled(id);
  await service.send(id, 'Two', { attachments: [table, { name: 'cat.png', data: base64(PNG) }] });
  await service.settled(id);
  return id;
}

const userMessages = async (service: TestService, chatId: string): Promise<Message[]> =>
  (await service.messages(chatId)).filter(({ role }) => role === 'user');

const attachmentsOf = async (service: TestService, chatId: string): Promise<Attachment[][]> =>
  (await userMessages(service, chatId)).map(({ attachments = [] }) => attachments);

const withoutIds = (all: Attachment[][]): object[][] =>
  all.map((files) => files.map(({ id: _id, ...file }) => file));

const erase = (service: TestService, chatId: string): Promise<TestAnswer> =>
  service.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}?permanent=true` });

const bringIn = async (service: TestService, file: unknown): Promise<ImportResult> =>
  (await service.post('/api/v1/import', file)).json<ImportResult>();

const exportOf = async (service: TestService, chatId: string): Promise<ExportFile> =>
  (await service.get(`/api/v1/chats/${chatId}/export?format=json`)).json<ExportFile>();

const blobPath = (service: TestService, data: Buffer | string): string => {
  const sha256 = sha256Of(data);
  return join(service.service.dataDir, 'files', sha256.slice(0, 2), sha256);
};

describe('files of messages', () => {
  it('go out with an export and a backup, equal ones once, and come in again with their messages', async () => {
    const service = await startTestService();
    const chatId = await makeChat(service);
    const before = withoutIds(await attachmentsOf(service, chatId));
    const exported = await exportOf(service, chatId);
    expect(exported.chats[0]?.files?.map(({ ids, data }) => [ids.length, data]).sort()).toEqual([
      [1, base64(PNG)],
      [2, base64(CSV)],
    ]);
    const backup = (await service.post('/api/v1/backups')).json<CreatedBackup>();
    expect(backup).toMatchObject({ leftOut: 0, mended: 0 });
    const ways = [
      () => bringIn(service, exported),
      async () => (await service.post(`/api/v1/backups/${backup.backup.name}/restore`)).json<ImportResult>(),
    ];
    for (const bring of ways) {
      await erase(service, chatId);
      expect(await namesOnDisk(service.service.dataDir)).toEqual([]);
      expect(await bring()).toMatchObject({ imported: 1, mended: 0, leftOut: 0 });
      const after = await attachmentsOf(service, chatId);
      expect(withoutIds(after)).toEqual(before);
      expect((await service.get(`/api/v1/files/${after[1]?.[0]?.id ?? ''}`)).text).toBe(CSV);
      expect(await namesOnDisk(service.service.dataDir)).toEqual([sha256Of(CSV), sha256Of(PNG)].sort());
      expect(await bring()).toMatchObject({ imported: 0, skipped: 1 });
    }
    expect(await namesOnDisk(service.service.dataDir)).toHaveLength(2);
  });

  it('are kept for nothing that a preview shows', async () => {
    const service = await startTestService();
    const chatId = await makeChat(service);
    const exported = await exportOf(service, chatId);
    await erase(service, chatId);
    const preview = (await service.post('/api/v1/import/preview', exported)).json<ImportPreview>();
    expect(preview).toMatchObject({ imported: 1, mended: 0 });
    expect(await namesOnDisk(service.service.dataDir)).toEqual([]);
  });

  it('go with a chat too long for one transaction, and with a file of 20 MiB', async () => {
    const service = await startTestService();
    const large = textFile(MAX_ATTACHMENT_BYTES);
    const { id } = await service.createChat();
    await service.send(id, 'Large', { attachments: [{ name: 'large.txt', data: base64(large) }] });
    await service.settled(id);
    const exported = await exportOf(service, id);
    const [chat] = exported.chats;
    for (let index = 0; index < 300; index += 1) chat?.messages.push(said(`word${index}`));
    const backup = (await service.post('/api/v1/backups')).json<CreatedBackup>();
    await erase(service, id);
    expect(await bringIn(service, exported)).toMatchObject({ imported: 1, mended: 0 });
    expect(await namesOnDisk(service.service.dataDir)).toEqual([sha256Of(large)]);
    await erase(service, id);
    const restored = await service.post(`/api/v1/backups/${backup.backup.name}/restore`);
    expect(restored.json<ImportResult>()).toMatchObject({ imported: 1, mended: 0, leftOut: 0 });
    expect(await namesOnDisk(service.service.dataDir)).toEqual([sha256Of(large)]);
  });

  it('that are lost are told by a backup and when they come in, and all else comes in', async () => {
    const service = await startTestService();
    const chatId = await makeChat(service);
    const sound = (await service.post('/api/v1/backups')).json<CreatedBackup>();
    await rm(blobPath(service, PNG));
    await writeFile(blobPath(service, CSV), CSV.replace(/.$/s, '?'));
    const backup = (await service.post('/api/v1/backups')).json<CreatedBackup>();
    const exported = await exportOf(service, chatId);
    await service.post(`/api/v1/backups/${sound.backup.name}/restore`);
    const kept = await attachmentsOf(service, chatId);
    expect((await service.get(`/api/v1/files/${kept[1]?.[0]?.id ?? ''}`)).text).toBe(CSV);
    await erase(service, chatId);
    for (const { mended, leftOut, problems } of [backup, await bringIn(service, exported)]) {
      expect({ mended, leftOut }).toEqual({ mended: 2, leftOut: 0 });
      expect(problems.map(({ what }) => what)).toEqual([
        'One of its files is not in it, or not soundly; the rest of the message is taken.',
        '2 of its files are not in it, or not soundly; the rest of the message is taken.',
      ]);
    }
    expect((await userMessages(service, chatId)).map(({ content }) => content)).toEqual(['One', 'Two']);
    expect(await attachmentsOf(service, chatId)).toEqual([[], []]);
  });

  it('are what their bytes say, whatever a file to import tells of them', async () => {
    const service = await startTestService();
    const reported = (id: string, name: string): Attachment => ({
      id,
      name,
      kind: 'image',
      mediaType: 'text/html',
      bytes: 7,
      width: 1_000_000,
    });
    const chat = exportedChat([
      said('', {
        attachments: [
          reported('a', '../../a.csv'),
          reported('b', 'b\0.png'),
          reported('gone', 'gone'),
          reported('program', 'program'),
          reported('odd', 'odd'),
        ],
      }),
    ]);
    chat.files = [
      { ids: ['a', 'a', 'other'], data: base64(CSV) },
      { ids: ['b'], data: base64(PNG) },
      { ids: ['program'], data: base64('\x7fELF\0\0') },
      { ids: ['odd'], data: 'no base64!' },
      { ids: ['odd'], data: '' },
      null as never,
      { data: 'AAAA' } as never,
    ];
    expect(await bringIn(service, exportFileOf(chat))).toMatchObject({ imported: 1, mended: 1 });
    const [files] = await attachmentsOf(service, chat.chat.id);
    expect(files).toEqual([
      {
        id: expect.any(String) as string,
        name: 'a.csv',
        kind: 'text',
        mediaType: 'text/csv',
        bytes: CSV.length,
      },
      {
        id: expect.any(String) as string,
        name: 'b .png',
        kind: 'image',
        mediaType: 'image/png',
        bytes: PNG.length,
        width: 1,
        height: 1,
      },
    ]);
    expect(await namesOnDisk(service.service.dataDir)).toHaveLength(2);
  });

  it('are left behind by no chat that stays out', async () => {
    const service = await startTestService();
    const chat = exportedChat([said('x')]);
    chat.files = [{ ids: ['nobody'], data: base64(CSV) }];
    expect(await bringIn(service, exportFileOf(chat))).toMatchObject({ imported: 1 });
    expect(await namesOnDisk(service.service.dataDir)).toEqual([]);
  });

  it('are named in an export for people', async () => {
    const service = await startTestService();
    const chatId = await makeChat(service);
    const { text } = await service.get(`/api/v1/chats/${chatId}/export?format=markdown`);
    expect(text).toContain('*Files: prices.csv, cat.png*\n\nTwo');
  });

  it('of a deleted message stay out', async () => {
    const service = await startTestService();
    const chatId = await makeChat(service);
    const [, second] = await userMessages(service, chatId);
    await service.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}/messages/${second?.id ?? ''}` });
    expect((await exportOf(service, chatId)).chats[0]?.files).toEqual([
      { ids: [expect.any(String)], data: base64(CSV) },
    ]);
  });
});
