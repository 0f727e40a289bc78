/** Turns that use tools of tool servers: asked about, done once, stopped on the wire, gone with the service. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { isAlive } from '../../support/mcp-parts.ts';
import { STDIO_MCP_SERVER } from '../../support/mcp-server/index.ts';
import { asked, rehearse, replyOf } from '../../support/rehearse.ts';
import { createTempDir, startTestService, type TestService } from '../../support/service.ts';

interface Lamp extends TestService {
  counterFile: string;
  events: () => Promise<string[]>;
}

const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

async function startWithLamp(): Promise<Lamp> {
  const service = await startTestService();
  const dir = await createTempDir();
  const counterFile = join(dir, 'runs');
  const eventsFile = join(dir, 'events');
  const env = { MCP_TEST_COUNTER_FILE: counterFile, MCP_TEST_EVENTS_FILE: eventsFile };
  const body = { name: 'Lamp', transport: 'stdio', ...STDIO_MCP_SERVER, env };
  expect((await service.post('/api/v1/mcp-servers', body)).status).toBe(201);
  return { ...service, counterFile, events: () => linesOf(eventsFile) };
}

async function approve(service: TestService, chatId: string): Promise<void> {
  const { id } = await asked(service, chatId);
  const path = `/api/v1/chats/${chatId}/approvals/${id}`;
  expect((await service.post(path, { decision: 'approve' })).status).toBe(200);
}

describe('a turn that uses a tool server', () => {
  it('asks in words, and does it once after a yes', async () => {
    const service = await startWithLamp();
    const chatId = await rehearse(service, '::tool lamp__write_counter {"line":"one"}', 'Done.');
    const { summary } = await asked(service, chatId);
    expect(summary).toBe('The tool server “Lamp”, a program on this computer, would run “write_counter”.');
    expect(await linesOf(service.counterFile)).toEqual([]);
    await approve(service, chatId);
    expect((await service.settled(chatId)).status).toBe('idle');
    expect(await linesOf(service.counterFile)).toEqual(['one']);
    expect((await replyOf(service, chatId))?.steps).toMatchObject([
      { tool: 'lamp__write_counter', status: 'done', output: { text: 'written' } },
    ]);
  });

  it('is told in words what failed', async () => {
    const service = await startWithLamp();
    const chatId = await rehearse(service, '::tool lamp__fails {}', 'So be it.');
    await approve(service, chatId);
    await service.settled(chatId);
    expect((await replyOf(service, chatId))?.steps).toMatchObject([
      { status: 'failed', error: 'The lamp is not plugged in.' },
    ]);
  });

  it('keeps what a tool says within bounds', async () => {
    const service = await startWithLamp();
    const chatId = await rehearse(service, '::tool lamp__huge {"characters":2000000}', 'So much.');
    await approve(service, chatId);
    expect((await service.settled(chatId)).status).toBe('idle');
    const reply = await replyOf(service, chatId);
    expect(reply?.steps).toMatchObject([{ status: 'done' }]);
    expect(JSON.stringify(reply).length).toBeLessThan(300_000);
  });

  it('can be stopped while the tool hangs, which the server hears', async () => {
    const service = await startWithLamp();
    const chatId = await rehearse(service, '::tool lamp__hangs {}', 'Never.');
    await approve(service, chatId);
    await eventually(async () => expect(await service.events()).toContain('called hangs'));
    expect((await service.post(`/api/v1/chats/${chatId}/stop`)).status).toBe(200);
    expect((await service.settled(chatId)).status).toBe('stopped');
    await eventually(async () => expect(await service.events()).toContain('cancelled hangs'));
  });

  it('that was stopped while the tool worked says that it may have taken effect, and a retry asks', async () => {
    const service = await startWithLamp();
    const chatId = await rehearse(service, '::tool lamp__write_counter {"line":"one","waitMs":60000}');
    const { id } = await asked(service, chatId);
    const path = `/api/v1/chats/${chatId}/approvals/${id}`;
    expect((await service.post(path, { decision: 'approve', remember: true })).status).toBe(200);
    await eventually(async () => expect(await linesOf(service.counterFile)).toEqual(['one']));
    await service.post(`/api/v1/chats/${chatId}/stop`);
    expect((await replyOf(service, chatId))?.steps).toMatchObject([
      {
        status: 'failed',
        inDoubt: true,
        error: 'This was stopped. Whether it took effect is not known.',
      },
    ]);
    expect((await service.post(`/api/v1/chats/${chatId}/retry`)).status).toBe(200);
    expect((await asked(service, chatId)).summary).toContain('may have been done before');
    expect(await linesOf(service.counterFile)).toEqual(['one']);
  });

  it('leaves no program behind when the service stops in the middle of a call', async () => {
    const service = await startWithLamp();
    const chatId = await rehearse(service, '::tool lamp__hangs {}');
    await approve(service, chatId);
    await eventually(async () => expect(await service.events()).toContain('called hangs'));
    const [started = ''] = await service.events();
    const pid = Number(started.replace('started ', ''));
    expect(isAlive(pid)).toBe(true);
    await service.service.close();
    expect(isAlive(pid)).toBe(false);
  });
});
