import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMcp } from '../../../server/cli/mcp.ts';
import { connectClient, stdioTransport } from '../../support/mcp-clients.ts';
import { createRehearsal, script } from '../../support/rehearse.ts';
import { CLI } from '../../support/service-process.ts';
import { createTempDir, startTestService } from '../../support/service.ts';

/** `parley mcp` for a data folder, and what it says; with `waitMs` what it runs, in this process, that waits no longer. */
function startProgram(dataDir: string, waitMs?: number) {
  const { input, output, errors, ended } =
    waitMs === undefined ? spawnMcp(dataDir) : runHere(dataDir, waitMs);
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  const log: string[] = [];
  createInterface({ input: errors }).on('line', (line) => log.push(line));
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  return {
    input,
    output,
    log,
    ended,
    send: (message: unknown) => input.write(`${JSON.stringify(message)}\n`),
    next: async () => JSON.parse((await lines.next()).value ?? 'null') as Record<string, unknown>,
  };
}

function spawnMcp(dataDir: string) {
  const child = spawn(process.execPath, [CLI, 'mcp', '--data-dir', dataDir]);
  child.stdin.on('error', () => undefined);
  return {
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    ended: once(child, 'exit').then(([code]) => code as number | null),
  };
}

function runHere(dataDir: string, waitMs: number) {
  const input = new PassThrough();
  const output = new PassThrough();
  const errors = new PassThrough();
  const log = (line: string): void => void errors.write(`${line}\n`);
  return { input, output, errors, ended: runMcp({ dataDir, input, output, log, waitMs }).then(() => 0) };
}

const list = (id: number | string): object => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });

describe('the MCP program', () => {
  it('waits for a service that starts later, and says what for', async () => {
    const dataDir = await createTempDir();
    const program = startProgram(dataDir);
    program.send(list(1));
    await expect.poll(() => program.log).toHaveLength(1);
    expect(program.log[0]).toContain('Open the app or start the service');
    await startTestService({ dataDir });
    expect(await program.next()).toMatchObject({ id: 1, result: { tools: expect.any(Array) as unknown } });
  });

  it('answers in words when no service comes', async () => {
    const program = startProgram(await createTempDir(), 1);
    program.send(list(1));
    expect(await program.next()).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining("Parley isn't running") as string },
    });
  });

  it('goes on with a service that was started again, with another port and key', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const seen: string[] = [];
    const client = await connectClient(
      stdioTransport(dataDir, (text) => seen.push(text)),
      'legacy',
    );
    onTestFinished(() => client.close());
    const ask = async (message: string): Promise<unknown> =>
      (await client.callTool({ name: 'ask', arguments: { message } })).structuredContent;
    expect(await ask('What is 2 + 2?')).toMatchObject({ done: true });
    await first.post('/api/v1/keys/local/rotate');
    expect(await ask('What is 2 + 3?')).toMatchObject({ done: true });
    await first.service.close();
    const asked = ask('What is 2 + 4?');
    await expect.poll(() => seen.join('')).toContain("Parley isn't running");
    const second = await startTestService({ dataDir });
    expect(await asked).toMatchObject({ done: true, reply: expect.stringContaining('6') as string });
    expect(second.service.port).not.toBe(first.service.port);
  });

  it('gives an answer for each request when the service is gone in the midst of it', async () => {
    const { service } = await startTestService();
    const program = startProgram(service.dataDir, 1);
    const params = { name: 'ask', arguments: { message: '````rehearsal\n::pause 20s\n````' } };
    const chat = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params };
    program.send({ ...chat, params: { ...params, _meta: { progressToken: 1 } } });
    expect(await program.next()).toMatchObject({ method: 'notifications/progress' });
    await service.close();
    let answer = await program.next();
    while (answer['id'] === undefined) answer = await program.next();
    // Its own last word, or that of the program.
    expect(answer).toMatchObject({ id: 'a' });
    expect(JSON.stringify(answer)).toMatch(/was lost|The call was ended/);
  });

  it('gives no answer to a request that was cancelled', async () => {
    const api = await startTestService();
    const program = startProgram(api.service.dataDir);
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    program.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect(await program.next()).toMatchObject({ id: 0 });
    const chatId = await createRehearsal(api);
    const input = { chatId, message: script('::pause 20s', 'Done.') };
    program.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask', arguments: input, _meta: { progressToken: 1 } },
    });
    await expect.poll(async () => (await api.chat(chatId)).status).toBe('processing');
    program.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await api.settled(chatId)).toMatchObject({ status: 'stopped' });
    program.send(list(2));
    let answer = await program.next();
    while (answer['method'] === 'notifications/progress') answer = await program.next();
    expect(answer).toMatchObject({ id: 2, result: {} });
  });

  it('sends no key to another program that has the port', async () => {
    const { service } = await startTestService();
    const file = join(service.dataDir, 'connection.json');
    const left = JSON.parse(await readFile(file, 'utf8')) as object;
    await service.close();
    const seen: unknown[] = [];
    const server = createServer(({ method, headers }, response) => {
      seen.push([method, headers.authorization]);
      response.end('{"status":"ok","version":"1"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as { port: number };
    await writeFile(file, JSON.stringify({ ...left, baseUrl: `http://127.0.0.1:${port}` }));
    const program = startProgram(service.dataDir, 1);
    program.send(list(1));
    expect(await program.next()).toMatchObject({
      error: { message: expect.stringContaining('is not the Parley') as string },
    });
    expect(new Set(seen.map(String))).toEqual(new Set(['GET,']));
  });

  it('takes messages however their lines come, and says so of what is none', async () => {
    const { service } = await startTestService();
    const program = startProgram(service.dataDir);
    for (const line of ['', '{', '7', 'null', '"text"']) program.input.write(`${line}\n`);
    for (let count = 0; count < 4; count += 1) {
      expect(await program.next()).toMatchObject({ id: null, error: { code: -32700 } });
    }
    program.send([list(1), list('two')]);
    expect([await program.next(), await program.next()].map(({ id }) => id).toSorted()).toEqual([1, 'two']);
    const text = JSON.stringify(list(3));
    program.input.write(text.slice(0, 20));
    program.input.write(`${text.slice(20)}\r\n`);
    expect(await program.next()).toMatchObject({ id: 3, result: {} });
    program.send({ jsonrpc: '2.0', id: 4 });
    program.send({ jsonrpc: '2.0', id: 5, method: 'no/such' });
    expect(await program.next()).toMatchObject({ id: 5, error: { code: -32601 } });
  });

  it('answers what was asked before its input ended, however long that takes', async () => {
    const api = await startTestService();
    const program = startProgram(api.service.dataDir);
    const input = { chatId: await createRehearsal(api), message: script('::pause 300ms', 'Done.') };
    const params = { name: 'ask', arguments: input, _meta: { progressToken: 1 } };
    program.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    program.input.end();
    let answer = await program.next();
    while (answer['method'] === 'notifications/progress') answer = await program.next();
    expect(answer).toMatchObject({ id: 1, result: { structuredContent: { done: true } } });
    expect(await program.ended).toBe(0);
  });

  it('ends with its input, with a reader that has gone, and at a line that never ends', async () => {
    const { service } = await startTestService();
    const first = startProgram(service.dataDir);
    first.send(list(1));
    first.input.end();
    expect(await first.ended).toBe(0);
    const second = startProgram(service.dataDir);
    second.output.destroy();
    second.send(list(1));
    expect(await second.ended).toBe(0);
    const third = startProgram(service.dataDir);
    third.input.write(Buffer.alloc(5 * 1024 * 1024, 'x'));
    expect(await third.ended).toBe(0);
    expect(third.log).toEqual(['A message is too long, so this program ends.']);
  });
});
