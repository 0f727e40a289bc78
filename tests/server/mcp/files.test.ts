/** Pictures and files that tools of a tool server give: kept with their step, handed out as files, gone with their message. */
import { describe, expect, it } from 'vitest';
import type { CreatedBackup, ExportFile, ImportResult } from '../../../shared/api/data.ts';
import type { Step, StepFile } from '../../../shared/api/message.ts';
import { MAX_STEP_FILE_BYTES, MAX_STEP_FILES } from '../../../shared/limits.ts';
import { exportedChat, exportFileOf, replied, said } from '../../support/exported.ts';
import { STDIO_MCP_SERVER } from '../../support/mcp-server/index.ts';
import { asked, rehearse, replyOf } from '../../support/rehearse.ts';
import { startTestService, type TestAnswer, type TestService } from '../../support/service.ts';

async function startWithLamp(): Promise<TestService> {
  const service = await startTestService();
  const body = { name: 'Lamp', transport: 'stdio', ...STDIO_MCP_SERVER };
  expect((await service.post('/api/v1/mcp-servers', body)).status).toBe(201);
  return service;
}

/** Has the tool called in a new chat, with a yes; the chat's id, and the step once the reply is done. */
async function callTool(
  service: TestService,
  call: string,
  files = 0,
): Promise<{ chatId: string; step: Step; messageId: string }> {
  const chatId = await rehearse(service, `::tool ${call}`, 'Done.');
  const approval = await asked(service, chatId);
  await service.post(`/api/v1/chats/${chatId}/approvals/${approval.id}`, { decision: 'approve' });
  await service.settled(chatId);
  const reply = await replyOf(service, chatId);
  const [step] = reply?.steps ?? [];
  if (reply === undefined || step === undefined) throw new Error('There is no step.');
  expect(step.files ?? []).toHaveLength(files);
  return { chatId, step, messageId: reply.id };
}

const fetchFile = (service: TestService, chatId: string, file: StepFile | undefined): Promise<TestAnswer> =>
  service.get(`/api/v1/chats/${chatId}/files/${file?.id ?? ''}`);

const countFiles = ({ service }: TestService): number =>
  service.store.read(
    (reader) => reader.get<{ total: number }>('SELECT count(*) AS total FROM step_files')?.total ?? 0,
  );

describe('files that a tool gives', () => {
  it('are not told of once more as text where the structured content repeats them', async () => {
    const { step } = await callTool(await startWithLamp(), 'lamp__photo {}', 1);
    expect(step.output).toEqual({
      result: { content: [{ type: 'image', data: '(attached)', mimeType: 'image/png' }], lens: '' },
      attached: [{ file: 'image-1.png', type: 'image/png', bytes: 68 }],
    });
  });

  it('are listed with the step, and handed out byte for byte, as files and never as pages', async () => {
    const service = await startWithLamp();
    const { chatId, step } = await callTool(service, 'lamp__picture {}', 3);
    expect(step.files?.map(({ name, mediaType, bytes }) => [name, mediaType, bytes])).toEqual([
      ['image-1.png', 'image/png', 68],
      ['audio-2.wav', 'audio/wav', 3],
      ['blob', 'application/pdf', 6],
    ]);
    const answer = await fetchFile(service, chatId, step.files?.[0]);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('image/png');
    expect(answer.headers['content-length']).toBe('68');
    expect(answer.text).toContain('PNG');
    expect((await fetchFile(service, chatId, step.files?.[2])).text).toBe('\0'.repeat(6));
    const { step: page, chatId: there } = await callTool(service, 'lamp__album {"type":"text/html"}', 1);
    const html = await fetchFile(service, there, page.files?.[0]);
    expect(page.files?.[0]?.name).toBe('0.dat');
    expect(html.headers['x-content-type-options']).toBe('nosniff');
    expect(html.headers['content-disposition']).toMatch(/^attachment; filename="0\.dat"/);
    expect(html.headers['content-security-policy']).toContain('sandbox');
    // Only in the chat that they belong to.
    expect((await fetchFile(service, there, step.files?.[0])).error().code).toBe('not_found');
    expect((await service.get(`/api/v1/chats/${chatId}/files/nothing`)).status).toBe(404);
  });

  it('are left out where they are too large or too many, with a word', async () => {
    const service = await startWithLamp();
    const { step: large } = await callTool(
      service,
      `lamp__album {"bytes":${MAX_STEP_FILE_BYTES + 1},"type":"image/png"}`,
    );
    expect(JSON.stringify(large.output)).toContain('larger than 5 MiB');
    const { step: many } = await callTool(
      service,
      `lamp__album {"count":${MAX_STEP_FILES + 1},"type":"image/png"}`,
      MAX_STEP_FILES,
    );
    expect(JSON.stringify(many.output)).toContain('more than 16 files');
    const { step: odd } = await callTool(service, 'lamp__album {"type":"text/html\\r\\nX: y"}', 1);
    expect(odd.files?.[0]?.mediaType).toBe('application/octet-stream');
  });

  it('can’t be had once their message is deleted, and are gone with it, and with their chat, for good', async () => {
    const service = await startWithLamp();
    const one = await callTool(service, 'lamp__picture {}', 3);
    const other = await callTool(service, 'lamp__picture {}', 3);
    expect(countFiles(service)).toBe(6);
    const path = `/api/v1/chats/${one.chatId}/messages/${one.messageId}`;
    await service.request({ method: 'DELETE', path });
    expect((await fetchFile(service, one.chatId, one.step.files?.[0])).status).toBe(404);
    await service.request({ method: 'DELETE', path: `/api/v1/chats/${one.chatId}?permanent=true` });
    expect(countFiles(service)).toBe(3);
    await service.request({ method: 'DELETE', path: `/api/v1/chats/${other.chatId}` });
    expect((await fetchFile(service, other.chatId, other.step.files?.[0])).status).toBe(404);
    await service.request({ method: 'DELETE', path: `/api/v1/chats/${other.chatId}?permanent=true` });
    expect(countFiles(service)).toBe(0);
  });

  it('go along with exports and backups, and come in again with their messages', async () => {
    const service = await startWithLamp();
    const { chatId } = await callTool(service, 'lamp__picture {}', 3);
    const exported = (await service.get(`/api/v1/chats/${chatId}/export?format=json`)).json<ExportFile>();
    const made = (await service.post('/api/v1/backups')).json<CreatedBackup>();
    expect(made).toMatchObject({ leftOut: 0, mended: 0 });
    const bringIn: [string, () => Promise<TestAnswer>][] = [
      ['imported', () => service.post('/api/v1/import', exported)],
      ['imported', () => service.post(`/api/v1/backups/${made.backup.name}/restore`)],
    ];
    for (const [outcome, bring] of bringIn) {
      await service.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}?permanent=true` });
      expect(countFiles(service)).toBe(0);
      const answer = (await bring()).json<ImportResult & Record<string, number>>();
      expect(answer[outcome]).toBe(1);
      const files = (await replyOf(service, chatId))?.steps?.[0]?.files ?? [];
      expect(files.map(({ name, mediaType, bytes }) => [name, mediaType, bytes])).toEqual([
        ['image-1.png', 'image/png', 68],
        ['audio-2.wav', 'audio/wav', 3],
        ['blob', 'application/pdf', 6],
      ]);
      expect((await fetchFile(service, chatId, files[2])).text).toBe('\0'.repeat(6));
    }
  });

  it('that are more than goes along with one message are told by the backup, and when they come in', async () => {
    const service = await startTestService();
    const data = Buffer.alloc(MAX_STEP_FILE_BYTES).toString('base64');
    const ids = ['one', 'two', 'three'];
    const files = ids.map((id): StepFile => ({ id, name: id, mediaType: 'image/png', bytes: 1 }));
    const question = said('Show me.');
    const reply = replied('There.', question.id, {
      steps: [{ id: 's', tool: 'lamp__album', status: 'done', input: {}, output: {}, files }],
      fileData: Object.fromEntries(ids.map((id) => [id, data])),
    });
    const chat = exportedChat([question, reply]);
    const bringIn = async (file: ExportFile) =>
      (await service.post('/api/v1/import', file)).json<ImportResult>();
    expect(await bringIn(exportFileOf(chat))).toMatchObject({ imported: 1, mended: 0 });
    expect(countFiles(service)).toBe(3);
    const path = `/api/v1/chats/${chat.chat.id}`;
    const exported = (await service.get(`${path}/export?format=json`)).json<ExportFile>();
    const backup = (await service.post('/api/v1/backups')).json<CreatedBackup>();
    await service.request({ method: 'DELETE', path: `${path}?permanent=true` });
    for (const { mended, leftOut, problems } of [backup, await bringIn(exported)]) {
      expect({ mended, leftOut }).toEqual({ mended: 1, leftOut: 0 });
      expect(problems[0]?.what).toMatch(/^A file that a tool gave is not in it/);
    }
    expect(countFiles(service)).toBe(2);
  });

  it('that a file to import tells of and doesn’t hold, or not soundly, are left out', async () => {
    const service = await startTestService();
    const reported = (id: string): StepFile => ({ id, name: `${id}\n`, mediaType: 'TEXT/html; x', bytes: 9 });
    const files = ['good', 'odd', 'absent', 'large', 'largest'].map(reported);
    const question = said('Show me.');
    const reply = replied('There.', question.id, {
      steps: [{ id: 's', tool: 'lamp__picture', status: 'done', input: {}, output: {}, files }],
      fileData: {
        good: 'AAAA',
        odd: 'no base64!',
        large: 'A'.repeat(Math.ceil(MAX_STEP_FILE_BYTES / 3) * 4 + 4),
        largest: Buffer.alloc(MAX_STEP_FILE_BYTES).toString('base64'),
      },
    });
    const chat = exportedChat([question, reply]);
    const answer = (await service.post('/api/v1/import', exportFileOf(chat))).json<ImportResult>();
    expect(answer).toMatchObject({ imported: 1, mended: 1, leftOut: 0 });
    expect(answer.problems[0]).toMatchObject({ chat: 1, message: 2 });
    expect(answer.problems[0]?.what).toMatch(/^3 files that tools gave are not in it/);
    const kept = (await replyOf(service, chat.chat.id))?.steps?.[0]?.files;
    expect(kept).toEqual([
      { id: expect.not.stringMatching('good') as string, name: 'good', mediaType: 'text/html', bytes: 3 },
      {
        id: expect.any(String) as string,
        name: 'largest',
        mediaType: 'text/html',
        bytes: MAX_STEP_FILE_BYTES,
      },
    ]);
    expect(countFiles(service)).toBe(2);
  });
});
