/** Programs that start others: nothing of them is left running, and none keeps up the look of a server that has ended. */
import { describe, expect, it } from 'vitest';
import { DoubtError } from '../../../server/tools/tool.ts';
import { eventually } from '../../support/eventually.ts';
import { isAlive, openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import { STARTED_MCP_SERVER, STDIO_MCP_SERVER } from '../../support/mcp-server/index.ts';
import { HAS_SIGNALS } from '../../support/platform.ts';

/** Adds the test server, started by a program that passes nothing on. */
async function addStarted(parts: McpParts, env: Record<string, string> = {}): Promise<void> {
  await parts.mcp.create({
    name: 'Lamp',
    transport: 'stdio',
    ...STARTED_MCP_SERVER,
    env: { MCP_TEST_EVENTS_FILE: parts.eventsFile, ...env },
  });
  await eventually(async () => expect(await parts.pids()).toHaveLength(2));
  expect(await parts.call('echo', { text: 'on' })).toEqual({ text: 'on' });
}

/** A killed program whose parent is gone, too, stays listed until the system takes note of it. */
async function allGone({ pids }: McpParts): Promise<void> {
  const all = await pids();
  expect(all).toHaveLength(2);
  await eventually(() => expect(all.map(isAlive)).toEqual([false, false]));
}

describe('a server that another program started', () => {
  it('is asked to end and killed with it when the service closes', async () => {
    const parts = await openMcpParts();
    await addStarted(parts, { MCP_TEST_STAYS: '1' });
    await parts.mcp.close();
    await allGone(parts);
    if (HAS_SIGNALS) expect(await parts.events()).toContain('asked to end');
  });

  it('ends by itself, without being asked, when it heeds the end of its input', async () => {
    const parts = await openMcpParts();
    await addStarted(parts);
    await parts.mcp.close();
    await allGone(parts);
  });

  it('is gone soon after that program was killed', async () => {
    const parts = await openMcpParts();
    await addStarted(parts, { MCP_TEST_STAYS: '1' });
    process.kill((await parts.pids())[0] ?? 0, 'SIGKILL');
    await allGone(parts);
  });
});

describe('a server that ended, while a program that it started holds its streams', () => {
  it('is known to have ended, and nothing of it is left', async () => {
    const parts = await openMcpParts();
    await parts.addLamp({ MCP_TEST_STARTS_HELPER: '1', MCP_TEST_DIES_IN_CALL: '1' });
    await expect(parts.call('echo', { text: 'x' })).rejects.toThrow(
      new DoubtError(
        'The tool server “Lamp” ended while the tool was running. Whether it took effect is not known.',
      ),
    );
    expect(await parts.mcp.list()).toMatchObject([{ state: 'idle' }]);
    await allGone(parts);
  });

  it('is told as one that ended at once when it had not begun', async () => {
    const parts = await openMcpParts();
    const { message } = await parts.mcp.test({
      transport: 'stdio',
      command: STDIO_MCP_SERVER.command,
      args: [...STDIO_MCP_SERVER.args, '--ends-with', 'No bulb.'],
      env: { MCP_TEST_EVENTS_FILE: parts.eventsFile, MCP_TEST_STARTS_HELPER: '1' },
    });
    expect(message).toBe('The program ended at once (exit code 3). Its last lines were:\nNo bulb.');
    await allGone(parts);
  });
});
