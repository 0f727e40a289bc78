/** Tool servers that hang: no later call waits for them, and nothing of them is left. */
import { expect, it } from 'vitest';
import { DoubtError } from '../../../server/tools/tool.ts';
import { eventually } from '../../support/eventually.ts';
import { isAlive, openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import { startScriptedServer, writeScriptedProgram } from '../../support/mcp-server/scripted.ts';

const LIMITS = { limits: { aliveMs: 1_000 } };

/** A program of which only the first that is started behaves as `call` says; `pids` tells all of them. */
async function openProgram(call: string): Promise<McpParts & { started: () => Promise<number[]> }> {
  const parts = await openMcpParts(LIMITS);
  const program = await writeScriptedProgram(
    parts.dir,
    `await (async () => {
      const { appendFileSync, existsSync } = await import('node:fs');
      const file = process.env.MCP_TEST_EVENTS_FILE;
      const isFirst = !existsSync(file);
      appendFileSync(file, 'started ' + process.pid + '\\n');
      const well = (message, say) => say({ content: [{ type: 'text', text: 'well' }] });
      return { ping: (message, say) => say({}), 'tools/call': isFirst ? ${call} : well };
    })()`,
  );
  await parts.mcp.create({
    name: 'Lamp',
    transport: 'stdio',
    ...program,
    env: { MCP_TEST_EVENTS_FILE: parts.eventsFile },
  });
  return { ...parts, started: parts.pids };
}

it.each([
  ['answers nothing any more', '() => { for (;;); }', {}],
  ['reads nothing any more', '() => process.stdin.pause()', { text: 'x'.repeat(1_000_000) }],
])('a program that %s is started anew for the next call', async (_what, call, input) => {
  const parts = await openProgram(call);
  await expect(parts.call('send', input, AbortSignal.timeout(300))).rejects.toThrow();
  const [first = 0] = await parts.started();
  await eventually(() => expect(isAlive(first)).toBe(false));
  expect(await parts.call('send')).toEqual({ text: 'well' });
  expect(await parts.started()).toHaveLength(2);
});

it('a program that closes its output but lives on is known to be of no use, at once', async () => {
  const parts = await openProgram('() => { setInterval(() => undefined, 1_000); process.stdout.end(); }');
  await expect(parts.call('send')).rejects.toThrow(
    new DoubtError(
      'The tool server “Lamp” ended while the tool was running. Whether it took effect is not known.',
    ),
  );
  const [first = 0] = await parts.started();
  await eventually(() => expect(isAlive(first)).toBe(false));
  expect(await parts.call('send')).toEqual({ text: 'well' });
});

it('a program that gave no answer to a call in time but answers otherwise is kept', async () => {
  const parts = await openProgram('() => undefined');
  await expect(parts.call('send', {}, AbortSignal.timeout(300))).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const [first = 0] = await parts.started();
  expect(isAlive(first)).toBe(true);
  expect(await parts.mcp.list()).toMatchObject([{ state: 'connected' }]);
});

it('an address that accepts and never answers keeps no later call waiting for the whole of its time', async () => {
  const parts = await openMcpParts({ limits: { aliveMs: 100, openMs: 2_000, startMs: 2_000 } });
  let hangs = false;
  const server = await startScriptedServer({
    initialize: (message, _response, say) => {
      if (hangs) return;
      const { protocolVersion } = message.params ?? {};
      say({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'lamp', version: '1' } });
    },
    ping: () => undefined,
    'tools/call': () => undefined,
  });
  await parts.mcp.create({ name: 'Lamp', transport: 'http', url: server.url });
  hangs = true;
  await expect(parts.call('send', {}, AbortSignal.timeout(100))).rejects.toThrow();
  await eventually(async () => expect(await parts.mcp.list()).not.toMatchObject([{ state: 'connected' }]));
  await expect(parts.call('send')).rejects.toThrow('did not answer in time');
});

it('a program that says back what it is told, and so never answers, does not hold up the end', async () => {
  const parts = await openMcpParts({ limits: { openMs: 600_000, startMs: 600_000, firstListingMs: 1 } });
  const echo = `
    const note = (text) => require('node:fs').appendFileSync(process.env.MCP_TEST_EVENTS_FILE, text);
    note('started ' + process.pid + '\\n');
    process.stdin.on('data', (data) => (note(data), process.stdout.write(data)));
  `;
  await parts.mcp.create({
    name: 'Echo',
    transport: 'stdio',
    command: process.execPath,
    args: ['-e', echo],
    env: { MCP_TEST_EVENTS_FILE: parts.eventsFile },
  });
  await eventually(async () => expect((await parts.events()).join('\n')).toContain('server/discover'));
  await parts.mcp.close();
  for (const pid of await parts.pids()) await eventually(() => expect(isAlive(pid)).toBe(false));
});
