/** Which tools a turn gets of tool servers, and what it is told of them. */
import { MAX_MCP_TOOLS } from '../../../shared/limits.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundTools } from '../../../server/mcp/listed-tools.ts';
import { toolNameFor } from '../../../server/mcp/listed-tools.ts';
import { openMcpParts } from '../../support/mcp-parts.ts';
import { startHttpMcpServer } from '../../support/mcp-server/index.ts';

const names = (tools: { name: string }[]): string[] => tools.map(({ name }) => name);

describe('the tools of a server', () => {
  it('have names that models take, each its own', async () => {
    const { addLamp, tools } = await openMcpParts();
    await addLamp();
    const all = names(await tools());
    expect(all.slice(0, 3)).toEqual(['lamp__echo', 'lamp__add', 'lamp__write_counter']);
    for (const name of all) expect(name).toMatch(/^lamp__[A-Za-z0-9_-]{1,58}$/);
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => name.startsWith('lamp__odd_name'))).toEqual([
      toolNameFor('lamp', 'odd name/with.dots'),
      'lamp__odd_name_with_dots',
    ]);
  });

  it('work under their odd names', async () => {
    const { addLamp, call } = await openMcpParts();
    await addLamp();
    expect(await call(toolNameFor('lamp', 'odd name/with.dots').slice('lamp__'.length))).toEqual({
      text: 'odd',
    });
    expect(await call('odd_name_with_dots')).toEqual({ text: 'odd, too' });
  });

  it('all ask first and count as changing something, whatever the server says of them', async () => {
    const { addLamp, tools } = await openMcpParts();
    await addLamp();
    for (const tool of await tools()) expect([tool.asks, tool.changes]).toEqual(['always', true]);
  });

  it('are told to the person who is asked', async () => {
    const parts = await openMcpParts();
    await parts.addLamp();
    const server = await startHttpMcpServer();
    onTestFinished(() => server.close());
    await parts.mcp.create({ name: 'Far lamp', transport: 'http', url: server.url });
    const reported = await Promise.all(
      (await parts.tools())
        .filter(({ name }) => /^lamp__add$|__echo$/.test(name))
        .map(async (tool) => (await tool.describe?.({}))?.summary),
    );
    expect(reported).toEqual([
      'The tool server “Lamp”, a program on this computer, would run “echo”. The server says that this changes nothing.',
      'The tool server “Lamp”, a program on this computer, would run “add”.',
      `The tool server “Far lamp” at ${new URL(server.url).host} would run “echo”. The server says that this changes nothing.`,
    ]);
  });

  it('are for the agents that may use them', async () => {
    const { addLamp, mcp, tools } = await openMcpParts();
    const { id } = await addLamp();
    const offered = async (): Promise<boolean[]> =>
      Promise.all(['orchestrator', 'writer'].map(async (type) => (await tools(type)).length > 0));
    expect(await offered()).toEqual([true, false]);
    await mcp.update(id, { agents: ['writer'] });
    expect(await offered()).toEqual([false, true]);
    await mcp.update(id, { agents: 'all' });
    expect(await offered()).toEqual([true, true]);
    await mcp.update(id, { enabled: false });
    expect(await offered()).toEqual([false, false]);
  });
});

describe('what a server lists', () => {
  const plain = (text: string): string => text;
  const tool = (name: string, more: object = {}): Parameters<typeof boundTools>[1][number] => ({
    name,
    inputSchema: { type: 'object' },
    ...more,
  });

  it('is cut to a bounded number of tools, words and schemas', () => {
    const big = { type: 'object', properties: { a: { description: 'x'.repeat(60_000) } } };
    const sent = Array.from({ length: 700 }, (_, index) =>
      tool(`tool_${index}`, { description: 'word '.repeat(5_000), inputSchema: big }),
    );
    const { tools: listed } = boundTools('lamp', sent, plain);
    expect(listed).toHaveLength(MAX_MCP_TOOLS);
    expect(JSON.stringify(listed).length).toBeLessThan(1_024 * 1_024);
    expect(listed[0]?.inputSchema).toEqual(big);
    expect(listed.at(-1)?.inputSchema).toEqual({ type: 'object' });
    expect(listed.at(-1)?.description).toMatch(
      /The description of its input is too large to be given here\.$/,
    );
  });

  it('keeps the first of two tools with one name, and none without a name', () => {
    const sent = [tool(''), tool('a', { description: 'first' }), tool('a', { description: 'second' })];
    expect(boundTools('lamp', sent, plain).tools.map(({ description }) => description)).toEqual(['first']);
  });

  it('leaves out tools that can only be called as tasks', () => {
    const sent = ['required', 'optional', 'forbidden'].map((taskSupport) =>
      tool(taskSupport, { execution: { taskSupport } }),
    );
    const { tools } = boundTools('lamp', sent, plain);
    expect(tools.map((listed) => listed.tool)).toEqual(['optional', 'forbidden']);
  });

  it('gives a name that does not depend on the other tools', () => {
    const alone = boundTools('lamp', [tool('a b')], plain).tools[0]?.name;
    expect(
      boundTools('lamp', [tool('a_b'), tool('a.b'), tool('a b')], plain).tools.map(({ name }) => name),
    ).toEqual(['lamp__a_b', toolNameFor('lamp', 'a.b'), alone]);
  });

  it('has names of 64 characters at most', () => {
    const slug = 's'.repeat(40);
    const long = ['x'.repeat(23), 'x'.repeat(22), `${'x'.repeat(22)}y`].map((name) =>
      toolNameFor(slug, name),
    );
    for (const name of long) expect(name).toMatch(/^s{40}__[x_0-9a-f]{15,22}$/);
    expect(new Set(long).size).toBe(3);
  });
});
