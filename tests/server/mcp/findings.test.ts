/** What a test of a tool server says, for everything that can be wrong with it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { McpTest, TestMcpServerBody } from '../../../shared/api/mcp.ts';
import { TEST_TOOLS } from '../../support/mcp-server/tools.ts';
import { isAlive, openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import { startHttpMcpServer, STDIO_MCP_SERVER, type HttpMcpOptions } from '../../support/mcp-server/index.ts';
import { writeScriptedProgram } from '../../support/mcp-server/scripted.ts';

/** Long enough for a program to start, short enough to be waited for. */
const SHORT_MS = 1_500;
const KEY = 'lamp-key-0123456789';

const program = (env: Record<string, string> = {}): TestMcpServerBody => ({
  transport: 'stdio',
  ...STDIO_MCP_SERVER,
  env,
});
const finding = ({ finding: word, message, tools }: McpTest): [string, string, number] => [
  word,
  message,
  tools.length,
];

async function test(body: TestMcpServerBody, openMs = 10_000): Promise<McpTest> {
  const { mcp } = await openMcpParts({ limits: { openMs, startMs: openMs } });
  return mcp.test(body);
}

async function testAddress(
  options: HttpMcpOptions,
  { path = '', headers, openMs }: { path?: string; headers?: Record<string, string>; openMs?: number } = {},
): Promise<McpTest> {
  const server = await startHttpMcpServer(options);
  onTestFinished(() => server.close());
  const body: TestMcpServerBody = { transport: 'http', url: `${server.url}${path}` };
  return test(headers === undefined ? body : { ...body, headers }, openMs);
}

describe('a test of a program', () => {
  it('lists the tools of one that works, and leaves nothing running', async () => {
    const parts: McpParts = await openMcpParts();
    const found = await parts.mcp.test(program({ MCP_TEST_EVENTS_FILE: parts.eventsFile }));
    expect(finding(found)).toEqual([
      'ok',
      `It answers, and offers ${TEST_TOOLS.length} tools.`,
      TEST_TOOLS.length,
    ]);
    expect(found.tools[0]).toEqual({
      name: 'test__echo',
      tool: 'echo',
      description: 'Says what it is told.',
      isReadOnly: true,
    });
    expect((await parts.pids()).map(isAlive)).toEqual([false]);
    expect(await parts.mcp.list()).toEqual([]);
  });

  it('says that there is no such program', async () => {
    expect(finding(await test({ transport: 'stdio', command: 'no-such-lamp' }))).toEqual([
      'program_not_found',
      `The program “no-such-lamp” was not found; install it, or give its full path. Programs are looked for in ${process.env['PATH']}.`,
      0,
    ]);
  });

  it('says how one ended at once, with its last words but not its secrets', async () => {
    const body = program({ LAMP_KEY: KEY });
    const args = [...STDIO_MCP_SERVER.args, '--ends-with', `The key ${KEY} is no good.\nGood-bye.`];
    expect(finding(await test({ ...body, args }))).toEqual([
      'ended',
      'The program ended at once (exit code 3). Its last lines were:\nThe key … is no good.\nGood-bye.',
      0,
    ]);
  });

  it('says that one does not answer in time', async () => {
    const found = await test(program({ MCP_TEST_START_DELAY_MS: '600000' }), SHORT_MS);
    expect(finding(found)).toEqual([
      'too_slow',
      'The program runs, but did not answer in time; try again, or check its arguments. It wrote no reason.',
      0,
    ]);
  });

  it('says that one does not list its tools in time', async () => {
    const parts = await openMcpParts({ limits: { openMs: SHORT_MS, startMs: SHORT_MS } });
    const silent = await writeScriptedProgram(
      parts.dir,
      `{ 'tools/list': () => console.error('Looking …') }`,
    );
    expect(finding(await parts.mcp.test({ transport: 'stdio', ...silent }))).toEqual([
      'too_slow',
      'The program runs, but did not answer in time; try again, or check its arguments. Its last lines were:\nLooking …',
      0,
    ]);
  });

  it('says that one is not a tool server', async () => {
    expect(finding(await test(program({ MCP_TEST_TALKS_NONSENSE: '1' }), SHORT_MS))).toEqual([
      'not_mcp',
      'The program runs, but what it says is not MCP; check its arguments.',
      0,
    ]);
  });
});

describe('a test of an address', () => {
  it('lists the tools of one that works', async () => {
    expect(finding(await testAddress({}))).toEqual([
      'ok',
      `It answers, and offers ${TEST_TOOLS.length} tools.`,
      TEST_TOOLS.length,
    ]);
  });

  const header = { name: 'x-lamp-key', value: KEY };

  it('sends the headers that it is given', async () => {
    expect((await testAddress({ header }, { headers: { 'X-Lamp-Key': KEY } })).finding).toBe('ok');
  });

  it.each([
    [401, ''],
    [403, ': “No.”'],
  ])('tells a missing key from a wrong one (%i)', async (refusalStatus, quoted) => {
    const refusing = { header, refusalStatus };
    expect(await testAddress(refusing)).toMatchObject({
      finding: 'key_needed',
      message: expect.stringMatching(
        new RegExp(` asks for a key${quoted}; add a header, as its maker describes\\.$`),
      ) as string,
    });
    const wrong = await testAddress(refusing, { headers: { 'x-lamp-key': 'another-lamp-key' } });
    expect(wrong).toMatchObject({
      finding: 'key_refused',
      message: expect.stringMatching(
        new RegExp(` did not accept the key${quoted}; check the headers\\.$`),
      ) as string,
    });
    expect(wrong.message).not.toContain('another-lamp-key');
  });

  it.each([
    ['a page of another kind', {}, { path: '-not' }, 'not_mcp'],
    ['a server that speaks something else', { talksNonsense: true }, {}, 'not_mcp'],
    ['one that does not answer', { startDelayMs: 600_000 }, { openMs: SHORT_MS }, 'too_slow'],
  ] as const)('knows %s', async (_what, options, how, word) => {
    expect((await testAddress(options, how)).finding).toBe(word);
  });

  it.each([
    ['a port where nobody listens', async () => `http://127.0.0.1:${await freePort()}/mcp`, 'unreachable'],
    ['a port that is never asked', () => Promise.resolve('http://127.0.0.1:9/mcp'), 'unreachable'],
    ['a computer that is not there', async () => 'http://lamp.invalid/mcp', 'unreachable'],
  ])('knows %s', async (_what, urlOf, word) => {
    expect((await test({ transport: 'http', url: await urlOf() })).finding).toBe(word);
  });
});

async function freePort(): Promise<string> {
  const server = await startHttpMcpServer();
  await server.close();
  return new URL(server.url).port;
}
