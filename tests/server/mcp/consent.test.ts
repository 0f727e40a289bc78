/** A yes to a tool server's tool is one to that server where it was: never to what takes its place. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolPermissionList } from '../../../shared/api/approval.ts';
import type { McpServer } from '../../../shared/api/mcp.ts';
import type { Message, Step } from '../../../shared/api/message.ts';
import { createServerClients } from '../../../server/mcp/server-clients.ts';
import {
  createMcpServer,
  findMcpServer,
  updateListedTools,
  updateMcpServer,
} from '../../../server/store/mcp-repository.ts';
import {
  updateToolPermission,
  listToolPermissions,
} from '../../../server/store/tool-permission-repository.ts';
import { eventually } from '../../support/eventually.ts';
import { openMcpParts } from '../../support/mcp-parts.ts';
import { startHttpMcpServer, type HttpMcpServer } from '../../support/mcp-server/index.ts';
import { rehearse } from '../../support/rehearse.ts';
import { createTempDir, startTestService, type TestService } from '../../support/service.ts';
import { toolContext } from '../../support/tool-context.ts';

const SERVERS = '/api/v1/mcp-servers';

interface Lamp extends HttpMcpServer {
  /** How often a tool of it was called. */
  calls: () => Promise<number>;
}

async function startLamp(): Promise<Lamp> {
  const eventsFile = join(await createTempDir(), 'events');
  const server = await startHttpMcpServer({ eventsFile });
  onTestFinished(() => server.close());
  const calls = async (): Promise<number> =>
    (await readFile(eventsFile, 'utf8').catch(() => '')).split('called ').length - 1;
  return { ...server, calls };
}

describe('what was asked about a tool server', () => {
  const { signal } = new AbortController();

  async function openLamp() {
    const [one, other] = [await startLamp(), await startLamp()];
    const parts = await openMcpParts();
    const { id } = await parts.mcp.create({ name: 'Lamp', transport: 'http', url: one.url });
    const echo = async () => {
      const tool = (await parts.tools()).find(({ name }) => name === 'lamp__echo');
      if (tool === undefined) throw new Error('There is no echo.');
      return tool;
    };
    return { ...parts, one, other, id, echo, tool: await echo() };
  }

  it('is not sent to the address that it has by then', async () => {
    const { mcp, one, other, id, tool, echo } = await openLamp();
    const basis = (await tool.describe?.({}))?.basis ?? '';
    expect(await tool.run({ text: 'a' }, toolContext({ basis }))).toEqual({ text: 'a' });
    await mcp.update(id, { url: other.url });
    const changed = 'The tool server “Lamp” was changed since this was asked, so nothing was sent.';
    await expect(tool.run({ text: 'for one' }, toolContext({ basis }))).rejects.toThrow(changed);
    await expect(tool.run({ text: 'always allowed' }, toolContext())).rejects.toThrow(changed);
    // Nor is it asked about any more.
    await expect(tool.describe?.({})).rejects.toThrow(changed);
    // The same after a restart, when the turn has the tool as it is now, and a yes from before.
    const now = await echo();
    await expect(now.run({ text: 'for one' }, toolContext({ basis }))).rejects.toThrow(changed);
    expect([await one.calls(), await other.calls()]).toEqual([1, 0]);
    expect(await now.run({ text: 'b' }, toolContext())).toEqual({ text: 'b' });
  });

  it('is not sent to another server of the same name', async () => {
    const { mcp, one, id, tool, echo } = await openLamp();
    const basis = (await tool.describe?.({}))?.basis ?? '';
    await mcp.remove(id);
    await mcp.create({ name: 'Lamp', transport: 'http', url: one.url });
    await expect(tool.run({ text: 'a' }, toolContext({ basis }))).rejects.toThrow('removed or switched off');
    await expect((await echo()).run({ text: 'a' }, toolContext({ basis }))).rejects.toThrow(
      'was changed since',
    );
    expect(await one.calls()).toBe(0);
  });

  it('goes nowhere else when the server changes in the middle', async () => {
    const { store, secrets, other, id } = await openLamp();
    const clients = createServerClients({
      store,
      secrets,
      clock: () => new Date(),
      log: () => undefined,
      authFor: () => Promise.resolve(null),
      limits: {},
    });
    onTestFinished(() => clients.close());
    const before = clients.of(id);
    const server = store.read((reader) => findMcpServer(reader, id));
    if (before === null || server === null) throw new Error('There is no client.');
    await store.write((writer) => updateMcpServer(writer, { ...server, url: other.url }));
    await expect(before.call('echo', { text: 'a' }, signal)).rejects.toThrow('was changed meanwhile');
    expect(await other.calls()).toBe(0);
    expect(await clients.of(id)?.call('echo', { text: 'b' }, signal)).toEqual({ text: 'b' });
  });

  it('is not sent to a tool that is described differently by then', async () => {
    const { store, id, tool, one, echo } = await openLamp();
    const about = await tool.describe?.({});
    expect(about?.place).toEqual({ id: `server:${id}`, name: 'Lamp' });
    const server = store.read((reader) => findMcpServer(reader, id));
    if (server === null) throw new Error('It is gone.');
    const tools = server.tools.map((each) =>
      each.name === 'lamp__echo' ? { ...each, description: 'Deletes everything.' } : each,
    );
    await store.write((writer) => updateListedTools(writer, server, tools, new Date().toISOString()));
    const changed = 'describes “echo” differently since this reply began, so nothing was sent';
    await expect(tool.run({ text: 'a' }, toolContext({ basis: about?.basis ?? '' }))).rejects.toThrow(
      changed,
    );
    await expect(tool.run({ text: 'a' }, toolContext({ place: `server:${id}` }))).rejects.toThrow(changed);
    const now = { ...tool, ...(await echo()) };
    expect(now.described).not.toBe(tool.described);
    expect(await one.calls()).toBe(0);
  });

  it('is about no server that is made later', async () => {
    const { store } = await openMcpParts();
    await store.write((writer) => {
      updateToolPermission(writer, {
        ...{ id: 'p', workspaceId: 'w', tool: 'lamp__echo', place: 'server:lamp', placeName: 'Lamp' },
        ...{ described: '', createdAt: '2026-01-01T00:00:00.000Z' },
      });
      createMcpServer(writer, {
        ...{ id: 'lamp', name: 'Lamp', slug: 'lamp', transport: 'http', command: null, args: [] },
        ...{ url: 'http://127.0.0.1:9/mcp', secretNames: [], enabled: false, agents: 'all' },
        createdAt: '2026-01-02T00:00:00.000Z',
      });
    });
    expect(store.read(listToolPermissions)).toEqual([]);
  });
});

describe('a question about a tool server', () => {
  /** A chat that asks about Lamp, and about something else beside it, so that its reply goes on. */
  async function askAboutLamp() {
    const [one, other] = [await startLamp(), await startLamp()];
    const api = await startTestService();
    const made = await api.post(SERVERS, { name: 'Lamp', transport: 'http', url: one.url });
    const { server } = made.json<{ server: McpServer }>();
    const chatId = await rehearse(api, '::tool lamp__echo {"text":"a"}', '::approve Go on?');
    const asked = await step(api, chatId, 'lamp__echo', 'awaiting_approval');
    await step(api, chatId, 'ask_approval', 'awaiting_approval');
    const answer = (remember = true) =>
      api.post(`/api/v1/chats/${chatId}/approvals/${asked.approval?.id ?? ''}`, {
        decision: 'approve',
        remember,
      });
    return { api, one, other, chatId, path: `${SERVERS}/${server.id}`, answer };
  }

  const step = (api: TestService, chatId: string, tool: string, status: Step['status']): Promise<Step> =>
    eventually(async () => {
      const reply = (await api.messages(chatId)).findLast(({ role }: Message) => role === 'assistant');
      const found = reply?.steps?.find((each) => each.tool === tool && each.status === status);
      if (found === undefined) throw new Error(`No step of ${tool} is ${status}.`);
      return found;
    });
  const always = async (api: TestService): Promise<string[]> =>
    (await api.get('/api/v1/tool-permissions'))
      .json<ToolPermissionList>()
      .permissions.map(({ tool }) => tool);

  it.each(['removed', 'moved'])('is over at once when that is %s, and no “always” counts', async (what) => {
    const { api, one, other, chatId, path, answer } = await askAboutLamp();
    const changed =
      what === 'removed'
        ? await api.request({ method: 'DELETE', path })
        : await api.request({ method: 'PATCH', path, json: { url: other.url } });
    expect(changed.status).toBe(200);
    expect((await step(api, chatId, 'lamp__echo', 'failed')).error).toBe(
      'The tool server was removed or changed before this was answered, so nothing was sent.',
    );
    const late = await answer();
    expect([late.status, late.error().code]).toEqual([409, 'conflict']);
    expect(late.error().message).toContain('nothing to answer any more');
    expect(await always(api)).toEqual([]);
    expect([await one.calls(), await other.calls()]).toEqual([0, 0]);
  });

  it('that was answered once is not answered with “always” later, when its server has moved', async () => {
    const { api, other, path, answer } = await askAboutLamp();
    expect((await answer(false)).status).toBe(200);
    await api.request({ method: 'PATCH', path, json: { url: other.url } });
    expect((await answer()).error().code).toBe('conflict');
    expect(await always(api)).toEqual([]);
  });

  it('stays open when the server is changed in other ways', async () => {
    const { api, chatId, path, answer } = await askAboutLamp();
    await api.request({ method: 'PATCH', path, json: { name: 'Lantern', agents: 'all' } });
    expect((await answer()).status).toBe(200);
    expect((await step(api, chatId, 'lamp__echo', 'done')).output).toEqual({ text: 'a' });
    expect((await answer()).status).toBe(200);
    expect(await always(api)).toEqual(['lamp__echo']);
  });
});
