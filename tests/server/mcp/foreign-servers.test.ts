/** Tool servers of other people’s making: the protocol’s own examples, unmodified. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpath, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { Tool } from '../../../server/tools/tool.ts';
import { openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import { createTempDir } from '../../support/service.ts';
import { toolContext } from '../../support/tool-context.ts';

const entry = (name: string): string =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));
const program = (...args: string[]): { transport: 'stdio'; command: string; args: string[] } => ({
  transport: 'stdio',
  command: process.execPath,
  args,
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the example server over HTTP; resolves with its origin once it listens. */
async function startEverything(mode: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [entry('everything'), mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  for await (const text of child.stderr.setEncoding('utf8')) if (String(text).includes(String(port))) break;
  child.stderr.resume();
  return `http://127.0.0.1:${port}`;
}

async function call(parts: McpParts, name: string, input: object = {}): Promise<unknown> {
  const tools: Tool[] = await parts.tools();
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no ${name} in ${tools.map((one) => one.name).join()}.`);
  return tool.run({ ...input }, toolContext());
}

const LEFT_OUT = 'can’t call them as they are described: “simulate-research-query”.';

it('everything, over stdio: texts, pictures, structured results, progress', async () => {
  const parts = await openMcpParts();
  await parts.mcp.create({ name: 'All', ...program(entry('everything')) });
  expect(await call(parts, 'all__echo', { message: 'hi' })).toEqual({ text: 'Echo: hi' });
  expect(await call(parts, 'all__get-sum', { a: 1, b: 2 })).toEqual({ text: 'The sum of 1 and 2 is 3.' });
  expect(await call(parts, 'all__get-structured-content', { location: 'New York' })).toMatchObject({
    humidity: 82,
  });
  expect(await call(parts, 'all__get-tiny-image')).toMatchObject({ files: [{ mediaType: 'image/png' }] });
  expect(await call(parts, 'all__trigger-long-running-operation', { duration: 0.1, steps: 2 })).toEqual({
    text: expect.stringContaining('completed') as string,
  });
  await expect(call(parts, 'all__get-sum', { a: 'one' })).rejects.toThrow(/expected number/);
});

it('everything, over Streamable HTTP', async () => {
  const url = `${await startEverything('streamableHttp')}/mcp`;
  const parts = await openMcpParts();
  const test = await parts.mcp.test({ transport: 'http', url });
  expect([test.finding, test.message]).toEqual(['ok', expect.stringContaining(LEFT_OUT)]);
  await parts.mcp.create({ name: 'All', transport: 'http', url });
  expect(await call(parts, 'all__echo', { message: 'hi' })).toEqual({ text: 'Echo: hi' });
});

it('everything, over the old transport, is named as such', async () => {
  const url = `${await startEverything('sse')}/sse`;
  const { mcp } = await openMcpParts();
  const test = await mcp.test({ transport: 'http', url });
  expect([test.finding, test.message]).toEqual([
    'wrong_address',
    expect.stringContaining('speaks the old HTTP+SSE transport'),
  ]);
});

it('filesystem: writes and reads in its folder, and refuses others in its own words', async () => {
  const dir = await realpath(await createTempDir());
  await writeFile(join(dir, 'a.txt'), 'Tea');
  const parts = await openMcpParts();
  await parts.mcp.create({ name: 'Files', ...program(entry('filesystem'), dir) });
  expect(await call(parts, 'files__read_text_file', { path: join(dir, 'a.txt') })).toEqual({
    content: 'Tea',
  });
  await call(parts, 'files__write_file', { path: join(dir, 'b.txt'), content: 'Milk' });
  expect(await call(parts, 'files__list_directory', { path: dir })).toEqual({
    content: '[FILE] a.txt\n[FILE] b.txt',
  });
  await expect(call(parts, 'files__read_text_file', { path: '/' })).rejects.toThrow(/Access denied/);
});
