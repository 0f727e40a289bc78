/** How connections to tool servers come and go: no turn waits long, nothing is left running. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UpdateMcpServerBody } from '../../../shared/api/mcp.ts';
import { eventually } from '../../support/eventually.ts';
import { isAlive, openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import { STDIO_MCP_SERVER } from '../../support/mcp-server/index.ts';
import { HAS_SIGNALS } from '../../support/platform.ts';
import { toolContext } from '../../support/tool-context.ts';
import { writeScriptedProgram } from '../../support/mcp-server/scripted.ts';

const allGone = async ({ pids }: McpParts, count: number): Promise<void> => {
  const all = await pids();
  expect(all).toHaveLength(count);
  await eventually(() => expect(all.filter(isAlive)).toEqual([]));
};

afterEach(() => vi.restoreAllMocks());

describe('a program that is no longer needed', () => {
  it('is gone when the service has closed', async () => {
    const parts = await openMcpParts();
    await parts.addLamp();
    expect((await parts.pids()).map(isAlive)).toEqual([true]);
    await parts.mcp.close();
    expect((await parts.pids()).map(isAlive)).toEqual([false]);
  });

  it('is killed when it stays', async () => {
    const parts = await openMcpParts();
    await parts.addLamp({ MCP_TEST_STAYS: '1' });
    await parts.mcp.close();
    expect((await parts.pids()).map(isAlive)).toEqual([false]);
    if (HAS_SIGNALS) expect(await parts.events()).toContain('asked to end');
  });

  it('is gone when the service closes while it starts', async () => {
    const parts = await openMcpParts();
    const adding = parts.addLamp({ MCP_TEST_START_DELAY_MS: '600000' });
    await eventually(async () => expect(await parts.pids()).toHaveLength(1));
    await parts.mcp.close();
    expect((await parts.pids()).map(isAlive)).toEqual([false]);
    expect((await adding).tools).toEqual([]);
  });

  it('is gone after a while without a call, and started again for the next', async () => {
    const parts = await openMcpParts({ limits: { idleMs: 50 } });
    const { id } = await parts.addLamp();
    await allGone(parts, 1);
    expect((await parts.mcp.list()).map(({ state }) => state)).toEqual(['idle']);
    expect(await parts.call('echo', { text: 'again' })).toEqual({ text: 'again' });
    await parts.mcp.remove(id);
    for (const pid of await parts.pids()) expect(isAlive(pid)).toBe(false);
  });

  it.each<[string, UpdateMcpServerBody, number]>([
    ['switched off', { enabled: false }, 1],
    ['given other arguments', { args: [...STDIO_MCP_SERVER.args, '--other'] }, 2],
    ['given another value', { env: { LAMP_KEY: 'other' } }, 2],
  ])('is gone when it is %s', async (_what, change, started) => {
    const parts = await openMcpParts();
    const { id } = await parts.addLamp();
    await parts.mcp.update(id, change);
    const pids = await parts.pids();
    expect(pids).toHaveLength(started);
    expect(isAlive(pids[0] ?? 0)).toBe(false);
  });

  it('stays when only its name changes', async () => {
    const parts = await openMcpParts();
    const { id, slug } = await parts.addLamp();
    expect(await parts.mcp.update(id, { name: 'Lantern' })).toMatchObject({ name: 'Lantern', slug });
    expect(await parts.call('echo', { text: 'same' })).toEqual({ text: 'same' });
    expect(await parts.pids()).toHaveLength(1);
  });
});

describe('a server that can’t be reached', () => {
  it('is left alone for a while, and says why', async () => {
    const parts = await openMcpParts();
    const made = await parts.addLamp({}, ['--ends-with', 'No bulb.']);
    expect(made).toMatchObject({ state: 'failed', tools: [] });
    expect(made.problem).toBe('The program ended at once (exit code 3). Its last lines were:\nNo bulb.');
    for (let turn = 0; turn < 3; turn += 1) expect(await parts.tools()).toEqual([]);
    expect(await parts.pids()).toHaveLength(1);
  });

  it('is left alone as long as ever when the clock leaps ahead', async () => {
    const parts = await openMcpParts();
    await parts.addLamp({}, ['--ends-with', 'No bulb.']);
    const at = Date.now() + 24 * 60 * 60_000;
    vi.spyOn(Date, 'now').mockImplementation(() => at);
    expect(await parts.tools()).toEqual([]);
    expect(await parts.pids()).toHaveLength(1);
  });

  it('is tried again after a test that found it well', async () => {
    const parts = await openMcpParts();
    const { id } = await parts.addLamp({}, ['--ends-with', 'No bulb.']);
    expect((await parts.mcp.testStored(id, {}))?.finding).toBe('ended');
    await parts.mcp.update(id, { args: STDIO_MCP_SERVER.args });
    expect((await parts.mcp.testStored(id, {}))?.finding).toBe('ok');
    expect(await parts.tools()).not.toEqual([]);
  });

  it('keeps the tools that were listed last, and no turn waits until it has started', async () => {
    const parts = await openMcpParts({ limits: { firstListingMs: 50, listingMs: 50 } });
    const { id } = await parts.addLamp();
    await parts.mcp.testStored(id, {});
    const { tools = [] } = (await parts.mcp.list())[0] ?? {};
    expect(tools).not.toEqual([]);
    const slow = await parts.mcp.update(id, { env: { MCP_TEST_START_DELAY_MS: '600000' } });
    expect(slow).toMatchObject({ state: 'opening', tools });
    expect((await parts.tools()).map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(await parts.mcp.list()).toMatchObject([{ state: 'opening' }]);
  });
});

describe('a server that doesn’t say that its tools have changed', () => {
  const hasGrown = async (parts: McpParts): Promise<boolean> =>
    (await parts.tools()).some(({ name }) => name.startsWith('lamp__grown'));

  it('is asked for them again when a turn begins, after a while', async () => {
    const parts = await openMcpParts({ limits: { freshMs: 0 } });
    await parts.addLamp({ MCP_TEST_SILENT: '1' });
    expect(await hasGrown(parts)).toBe(false);
    await parts.call('grow');
    expect(await hasGrown(parts)).toBe(true);
  });

  it('is not asked again until then', async () => {
    const parts = await openMcpParts({ limits: { freshMs: 600_000 } });
    await parts.addLamp({ MCP_TEST_SILENT: '1' });
    for (let turn = 0; turn < 5; turn += 1) await parts.tools();
    expect((await parts.events()).filter((line) => line === 'listed')).toHaveLength(1);
  });

  it('is heard when it says so though it did not announce that', async () => {
    const parts = await openMcpParts();
    const program = await writeScriptedProgram(
      parts.dir,
      `{ 'tools/call': (message, say, write) => {
        answers['tools/list'] = (_, say) => say({ tools: [{ name: 'grown', inputSchema: { type: 'object' } }] });
        write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
        say({ content: [] });
      } }`,
    );
    await parts.mcp.create({ name: 'Lamp', transport: 'stdio', ...program });
    await parts.call('send');
    await eventually(async () => expect(await hasGrown(parts)).toBe(true));
  });
});

describe('a server that says that its tools have changed', () => {
  it('is asked for them again', async () => {
    const parts = await openMcpParts();
    await parts.addLamp();
    expect((await parts.tools()).some(({ name }) => name.startsWith('lamp__grown'))).toBe(false);
    expect(await parts.call('grow')).toEqual({ text: 'grown' });
    await eventually(async () =>
      expect((await parts.tools()).some(({ name }) => name.startsWith('lamp__grown'))).toBe(true),
    );
    expect(await parts.pids()).toHaveLength(1);
  });

  it('is not asked again before the next turn begins, however often it says so', async () => {
    const parts = await openMcpParts();
    await parts.addLamp();
    const grow = (await parts.tools()).find(({ name }) => name === 'lamp__grow');
    for (let count = 0; count < 5; count += 1) await grow?.run({}, toolContext());
    const lists = async (): Promise<number> =>
      (await parts.events()).filter((line) => line === 'listed').length;
    expect(await lists()).toBe(1);
    await eventually(async () => {
      await parts.tools();
      expect(await lists()).toBe(2);
    });
  });
});
