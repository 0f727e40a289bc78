/** Files of messages on a disk that fails, under kill -9, and with clients that break off: no row without its bytes, nothing left behind. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Attachment, FileAnswer } from '../../shared/api/attachment.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { ExportFile } from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import { rounds } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { exportedChat, exportFileOf, said } from '../support/exported.ts';
import { base64, namesOnDisk, sha256Of, textFile, upload } from '../support/files.ts';
import { createTempDir, startTestService, type TestClient } from '../support/service.ts';
import { runService, type ServiceProcess } from '../support/service-process.ts';

const KILLS = rounds(3);

/** What a client of a service that may die at any moment was told. */
interface Reported {
  /** Uploads that were answered, and not taken back or sent, by id. */
  uploads: Map<string, string>;
  /** Texts of messages that were answered, and the SHA-256 of their files. */
  sent: Map<string, string[]>;
  /** Chats that were told to be gone for good. */
  gone: Set<string>;
}

/** Does one thing after the other until the service is gone. */
async function useUntilDeath(api: TestClient, client: number, reported: Reported): Promise<void> {
  for (let round = 0; ; round += 1) {
    const text = `${client}-${round}-${Math.random()}`;
    const [one, two] = [textFile(40_000, `${text} one`), textFile(200, `${text} two`)];
    const made = await upload(api, 'one.txt', one);
    if (made.status !== 201) throw new Error(made.text);
    const { id } = made.json<FileAnswer>().file;
    reported.uploads.set(id, sha256Of(one));
    if (round % 4 === 3) {
      reported.uploads.delete(id);
      await api.request({ method: 'DELETE', path: `/api/v1/files/${id}` });
      continue;
    }
    const chat = (await api.post('/api/v1/chats', {})).json<Chat>();
    reported.uploads.delete(id);
    const attachments = [{ fileId: id }, { name: 'two.txt', data: base64(two) }];
    const path = `/api/v1/chats/${chat.id}`;
    const answer = await api.post(`${path}/messages`, { content: text, attachments });
    if (answer.status !== 200) throw new Error(answer.text);
    if (round % 4 !== 1) {
      reported.sent.set(text, [sha256Of(one), sha256Of(two)]);
      continue;
    }
    const imported = exportedChat([said(`${text} imported`, { attachments: [fileReported('f')] })]);
    imported.files = [{ ids: ['f'], data: base64(two) }];
    const came = await api.post('/api/v1/import', exportFileOf(imported));
    if (came.status === 200) reported.sent.set(`${text} imported`, [sha256Of(two)]);
    const erased = await api.request({ method: 'DELETE', path: `${path}?permanent=true` });
    if (erased.status === 200) reported.gone.add(chat.id);
  }
}

const fileReported = (id: string): Attachment => ({
  id,
  name: 'f.txt',
  kind: 'text',
  mediaType: 'text/plain',
  bytes: 1,
});

/** All that is stored, checked: each file of each message can be read and is what it was. */
async function checkAll(api: TestClient, reported: Reported): Promise<Set<string>> {
  const chats: Chat[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = (await api.get(`/api/v1/chats?pageSize=100&page=${page}`)).json<{ data: Chat[] }>();
    chats.push(...data);
    if (data.length < 100) break;
  }
  const used = new Set<string>();
  const found = new Map<string, string[]>();
  for (const { id } of chats) {
    expect(reported.gone.has(id)).toBe(false);
    for (const message of await api.messages(id)) {
      const hashes: string[] = [];
      for (const file of message.attachments ?? []) {
        const answer = await api.get(`/api/v1/files/${file.id}`);
        expect(answer.status).toBe(200);
        hashes.push(sha256Of(answer.text));
      }
      if (message.role === 'user') found.set(message.content, hashes);
      for (const hash of hashes) used.add(hash);
    }
  }
  for (const [text, hashes] of reported.sent) expect(found.get(text)).toEqual(hashes);
  for (const [id, hash] of reported.uploads) {
    const answer = await api.get(`/api/v1/files/${id}`);
    expect([answer.status, sha256Of(answer.text)]).toEqual([200, hash]);
    used.add(hash);
  }
  return used;
}

describe('kill -9 during uploads, sends, deletes and imports', () => {
  it(
    'loses no file that was acknowledged, and leaves none that nothing names',
    { timeout: 280_000 },
    async () => {
      const dataDir = await createTempDir();
      let service: ServiceProcess = await runService(dataDir);
      onTestFinished(async () => {
        await service.end('SIGKILL');
      });
      const reported: Reported = { uploads: new Map(), sent: new Map(), gone: new Set() };
      for (let kill = 0; kill < KILLS; kill += 1) {
        const { api } = service;
        const clients = [1, 2, 3].map((client) =>
          useUntilDeath(api, client, reported).catch(() => undefined),
        );
        const sent = reported.sent.size;
        await eventually(() => expect(reported.sent.size).toBeGreaterThan(sent + 1));
        await sleep((kill * 37) % 150);
        await service.end('SIGKILL');
        await Promise.all(clients);
        // As a kill in the midst of an upload may leave it.
        await writeFile(join(dataDir, 'files', '0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16.tmp'), 'half');
        service = await runService(dataDir);
      }
      const { api } = service;
      const used = await checkAll(api, reported);
      // What was under way when it died may be there, too, but only with a row: unsent uploads can't be listed.
      await eventually(async () => {
        const names = await namesOnDisk(dataDir);
        expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
        const { storage } = (await api.get('/api/v1/storage')).json<{
          storage: { files: { count: number } };
        }>();
        expect(names).toHaveLength(storage.files.count);
        for (const hash of used) expect(names).toContain(hash);
      });
    },
  );
});

describe.runIf(process.platform === 'linux')('a disk that takes no more', () => {
  it('refuses uploads, sends and imports with files in words, and leaves nothing behind', async () => {
    const dataDir = await createTempDir();
    // The most that one file may have, in bytes, as the shell counts it: what is small still fits.
    const service = await runService(dataDir, '-S -f 100');
    onTestFinished(async () => {
      await service.end('SIGKILL');
    });
    const { api } = service;
    const chat = (await api.post('/api/v1/chats', {})).json<Chat>();
    const large = textFile(1_000_000);
    const imported = exportedChat([said('x', { attachments: [fileReported('f')] })]);
    imported.files = [{ ids: ['f'], data: base64(large) }];
    const file: ExportFile = exportFileOf(imported);
    const refused = [
      await upload(api, 'large.txt', large),
      await api.post(`/api/v1/chats/${chat.id}/messages`, {
        content: 'x',
        attachments: [
          { name: 'small.txt', data: base64('small') },
          { name: 'large.txt', data: base64(large) },
        ],
      }),
      await api.post('/api/v1/import', file),
    ];
    expect(refused.map(({ status }) => status)).toEqual([507, 507, 507]);
    for (const answer of refused) expect(answer.error().message).toMatch(/disk was full/);
    expect(await namesOnDisk(dataDir)).toEqual([]);
    expect(await api.messages(chat.id)).toEqual([]);
    expect((await upload(api, 'small.txt', 'small')).status).toBe(201);
    execFileSync('prlimit', ['--pid', String(service.pid), '--fsize=unlimited']);
    expect((await upload(api, 'large.txt', large)).status).toBe(201);
  });
});

describe('an upload', () => {
  it('that breaks off, or never ends, leaves nothing behind and holds up nobody', async () => {
    const service = await startTestService();
    const begin = (head: string, body: string): ReturnType<typeof connect> => {
      const socket = connect(service.service.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST /api/v1/files?name=a.txt HTTP/1.1\r\nhost: 127.0.0.1:${service.service.port}\r\nauthorization: Bearer ${service.service.apiKey}\r\n${head}\r\n\r\n${body}`,
      );
      return socket;
    };
    const sockets = [
      begin('content-length: 1000', 'too few'),
      begin('transfer-encoding: chunked', '5\r\nhello\r\n'),
      begin('content-length: 99999999999', 'x'),
      ...Array.from({ length: 50 }, () => begin('content-length: 1000000', 'slow')),
    ];
    await eventually(async () =>
      expect((await namesOnDisk(service.service.dataDir)).length).toBeGreaterThanOrEqual(52),
    );
    expect((await upload(service, 'b.txt', 'quick')).status).toBe(201);
    for (const socket of sockets) socket.destroy();
    await eventually(async () =>
      expect(await namesOnDisk(service.service.dataDir)).toEqual([sha256Of('quick')]),
    );
    expect(service.log).toEqual([]);
  });
});

it('removes an upload that no message took within a day, and nothing else', async () => {
  const dataDir = await createTempDir();
  const first = await startTestService({ dataDir });
  const chat = await first.createChat();
  await first.send(chat.id, 'x', { attachments: [{ name: 'kept.txt', data: base64('kept') }] });
  await first.settled(chat.id);
  const made = (await upload(first, 'old.txt', 'old')).json<FileAnswer>().file.id;
  const { store } = first.service;
  const yesterday = new Date(Date.now() - 25 * 60 * 60_000).toISOString();
  await store.write((writer) =>
    writer.run('UPDATE files SET created_at = ? WHERE id = ?', [yesterday, made]),
  );
  const [message] = (await first.messages(chat.id)) as [Message];
  expect(await namesOnDisk(dataDir)).toHaveLength(2);
  const { createMessageFiles } = await import('../../server/chats/message-files.ts');
  const { createFileStore } = await import('../../server/files/file-store.ts');
  const clock = (): Date => new Date();
  const { recordDays } = await import('../support/record-days.ts');
  await store.write((writer) => recordDays(writer, 2, Date.now()));
  const files = createMessageFiles({
    store,
    files: createFileStore({ store, dataDir }),
    clock,
    newId: () => '',
  });
  await files.tidy();
  expect((await first.get(`/api/v1/files/${made}`)).status).toBe(404);
  expect((await first.get(`/api/v1/files/${message.attachments?.[0]?.id ?? ''}`)).text).toBe('kept');
  expect(await namesOnDisk(dataDir)).toEqual([sha256Of('kept')]);
});
