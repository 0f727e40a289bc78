/** Tool servers that send what the protocol doesn't allow, in part: what can be used is used, and the rest is named. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_MCP_TOOLS } from '../../../shared/limits.ts';
import type { McpTest } from '../../../shared/api/mcp.ts';
import { openMcpParts } from '../../support/mcp-parts.ts';
import {
  startScriptedServer,
  writeScriptedProgram,
  type ScriptedAnswer,
} from '../../support/mcp-server/scripted.ts';

const GOOD = { name: 'good', inputSchema: { type: 'object' } };

async function testOf(answers: Record<string, ScriptedAnswer>): Promise<McpTest> {
  const { url } = await startScriptedServer(answers);
  const { mcp } = await openMcpParts();
  return mcp.test({ transport: 'http', url });
}
const listing = (result: unknown): Promise<McpTest> =>
  testOf({ 'tools/list': (_message, _response, say) => say(result) });
const names = ({ tools }: McpTest): string[] => tools.map(({ tool }) => tool);

describe('an odd tool', () => {
  it.each([
    ['a schema without a type', { inputSchema: {} }],
    ['a schema with properties alone', { inputSchema: { properties: { a: { type: 'string' } } } }],
    ['null for a schema', { inputSchema: null }],
    ['no schema', { inputSchema: undefined }],
    [
      'properties and required that are null',
      { inputSchema: { type: 'object', properties: null, required: null } },
    ],
    ['a null description', { description: null }],
    ['a number as its title', { title: 7 }],
    ['null annotations', { annotations: null }],
    ['annotations that are words', { annotations: { readOnlyHint: 'yes', title: null } }],
    ['an array as its output schema', { outputSchema: { type: 'array', items: {} } }],
    ['null for its output schema', { outputSchema: null }],
    ['null icons and _meta', { icons: null, _meta: null, execution: null }],
    ['fields of tomorrow', { colour: 'red', icons: 'none' }],
  ])('with %s is taken', async (_name, odd) => {
    const test = await listing({ tools: [GOOD, { name: 'odd', inputSchema: { type: 'object' }, ...odd }] });
    expect([test.finding, test.message]).toEqual(['ok', 'It answers, and offers 2 tools.']);
    expect(names(test)).toEqual(['good', 'odd']);
  });

  it.each([
    ['takes an array', { name: 'odd', inputSchema: { type: 'array' } }, '“odd”'],
    ['has a schema that is text', { name: 'odd', inputSchema: 'none' }, '“odd”'],
    ['has no name', { inputSchema: { type: 'object' } }, 'one without a name'],
    ['has a number as its name', { name: 7, inputSchema: { type: 'object' } }, 'one without a name'],
    ['is null', null, 'one without a name'],
    [
      'can only be called as a task',
      { ...GOOD, name: 'odd', execution: { taskSupport: 'required' } },
      '“odd”',
    ],
  ])('that %s is left out and named; the others stay', async (_name, odd, named) => {
    const test = await listing({ tools: [GOOD, odd] });
    expect(test.finding).toBe('ok');
    expect(test.message).toBe(
      `It answers, and offers one tool. Left out, since Parley can’t call them as they are described: ${named}.`,
    );
    expect(names(test)).toEqual(['good']);
  });
});

describe('a list', () => {
  const many = (count: number): unknown[] =>
    Array.from({ length: count }, (_, index) => ({ ...GOOD, name: `tool${index}` }));

  it.each([null, 0, ''])('whose next page is %j ends there', async (nextCursor) => {
    expect(names(await listing({ tools: [GOOD], nextCursor }))).toEqual(['good']);
  });

  it('that is null has no tools, and the number of a next page is one', async () => {
    expect((await listing({ tools: null })).message).toBe('It answers, and offers no tools.');
    const test = await testOf({
      'tools/list': ({ params }, _response, say) =>
        say(
          params?.['cursor'] === undefined
            ? { tools: [GOOD], nextCursor: 2 }
            : { tools: [{ ...GOOD, name: 'second' }] },
        ),
    });
    expect(names(test)).toEqual(['good', 'second']);
  });

  it('of 250 tools has 250', async () => {
    const test = await listing({ tools: many(250) });
    expect([test.message, test.tools.length]).toEqual(['It answers, and offers 250 tools.', 250]);
  });

  it('of more than can be taken says how many are left out', async () => {
    const test = await listing({ tools: many(MAX_MCP_TOOLS + 3) });
    expect(test.tools).toHaveLength(MAX_MCP_TOOLS);
    expect(test.message).toContain(`Left out: 3 more, since Parley takes ${MAX_MCP_TOOLS} at most.`);
  });

  it('tells what is left out while the server is used as well', async () => {
    const { url } = await startScriptedServer({
      'tools/list': (_message, _response, say) => say({ tools: [GOOD, { name: 'odd', inputSchema: 7 }] }),
    });
    const { mcp } = await openMcpParts();
    const added = await mcp.create({ name: 'Odd', transport: 'http', url });
    expect([added.state, added.problem]).toEqual([
      'connected',
      'Left out, since Parley can’t call them as they are described: “odd”.',
    ]);
  });

  it('that the server refuses is told in its own words', async () => {
    const test = await testOf({
      'tools/list': (message, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const error = { code: -32_000, message: 'The licence has run out' };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
      },
    });
    expect([test.finding, test.message]).toEqual([
      'failed',
      'The tool server reports: “The licence has run out”.',
    ]);
  });
});

it('a server that introduces itself oddly is used', async () => {
  const test = await testOf({
    initialize: (message, _response, say) => {
      const { protocolVersion } = message.params ?? {};
      say({
        protocolVersion,
        capabilities: { tools: null, logging: null },
        serverInfo: { name: 'odd' },
        instructions: null,
      });
    },
  });
  expect([test.finding, names(test)]).toEqual(['ok', ['send']]);
});

it.each([
  ['names a version of tomorrow', { protocolVersion: '2031-01-01', capabilities: { tools: {} } }],
  ['names no version', { capabilities: { tools: { listChanged: null } }, serverInfo: { name: 'odd' } }],
  ['names no abilities', { protocolVersion: '2025-06-18', capabilities: null, serverInfo: null }],
])('a server that %s is asked for its tools all the same', async (_name, introduction) => {
  const test = await testOf({ initialize: (_message, _response, say) => say(introduction) });
  expect([test.finding, names(test)]).toEqual(['ok', ['send']]);
});

describe('messages without what each should have', () => {
  const odd = (fields: object, type = 'application/json'): Promise<McpTest> =>
    testOf({
      'tools/list': ({ id }, response) => {
        response.writeHead(200, { 'content-type': type });
        response.end(JSON.stringify({ id, ...fields }));
      },
    });
  const result = { tools: [GOOD], _meta: null };

  it.each(['application/json', 'text/plain', ''])('are read over HTTP (as “%s”)', async (type) => {
    expect(names(await odd({ result, error: null }, type))).toEqual(['good']);
    expect((await odd({ error: { message: 'Log in first' } }, type)).message).toBe(
      'The tool server reports: “Log in first”.',
    );
  });

  it('are read from a program, also after a byte order mark', { timeout: 30_000 }, async () => {
    const { mcp, dir } = await openMcpParts();
    const answer = `({ id }, _, write) => write('\uFEFF' + JSON.stringify({ id, error: null, result: ${JSON.stringify(result)} }))`;
    const program = await writeScriptedProgram(dir, `{ 'tools/list': ${answer} }`);
    expect(names(await mcp.test({ transport: 'stdio', ...program }))).toEqual(['good']);
    const refusing = `{ initialize: ({ id }, _, write) => write(JSON.stringify({ id, error: 'Log in first' })) }`;
    const test = await mcp.test({ transport: 'stdio', ...(await writeScriptedProgram(dir, refusing)) });
    expect(test.message).toContain('Log in first');
  });
});

it.each([
  ['nothing', { content: null, structuredContent: { on: true } }, 'true'],
  ['text', { content: 'It is on.' }, 'It is on.'],
  ['one part', { content: { type: 'text', text: 'It is on.' } }, 'It is on.'],
])('a result whose content is %s is read', async (_name, sent, expected) => {
  const { url } = await startScriptedServer({ 'tools/call': (_message, _response, say) => say(sent) });
  const { mcp, call } = await openMcpParts();
  await mcp.create({ name: 'Lamp', transport: 'http', url });
  expect(JSON.stringify(await call('send'))).toContain(expected);
});

it('a server that refuses is quoted', async () => {
  const test = await testOf({
    initialize: (_message, response) => response.writeHead(403).end('Your plan has no tools'),
  });
  expect(test.message).toContain(' asks for a key: “Your plan has no tools”; ');
});

it('a result with a part that is not known is text', async () => {
  const { url } = await startScriptedServer({
    'tools/call': (_message, _response, say) => {
      say({
        content: [
          { type: 'text', text: 'one', annotations: null },
          { type: 'hologram', data: 1 },
          { type: 'text', text: 2 },
        ],
        isError: null,
        structuredContent: null,
      });
    },
  });
  const { mcp, call } = await openMcpParts();
  await mcp.create({ name: 'Lamp', transport: 'http', url });
  const output = JSON.stringify(await call('send'));
  for (const part of ['one', 'hologram', '2']) expect(output).toContain(part);
});

it('the old HTTP+SSE transport is named', async () => {
  const server = createServer((request, response) => {
    if (request.method !== 'GET') return response.writeHead(405).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: endpoint\ndata: /messages?session=1\n\n');
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const { mcp } = await openMcpParts();
  const test = await mcp.test({ transport: 'http', url: `http://127.0.0.1:${port}/sse` });
  expect(test.finding).toBe('wrong_address');
  expect(test.message).toMatch(/speaks the old HTTP\+SSE transport/);
});

describe('a program that takes long to start', () => {
  it('shows what it prints meanwhile', { timeout: 60_000 }, async () => {
    const { mcp, dir } = await openMcpParts({ limits: { firstListingMs: 100 } });
    const { command, args } = await writeScriptedProgram(
      dir,
      `{ initialize: () => process.stderr.write('npm: fetching 12 of 40\\n') }`,
    );
    const { id } = await mcp.create({ name: 'Slow', transport: 'stdio', command, args });
    await expect
      .poll(async () => (await mcp.list()).find((server) => server.id === id))
      .toMatchObject({
        state: 'opening',
        problem: 'It is still starting. It last wrote: npm: fetching 12 of 40',
      });
  });
});
