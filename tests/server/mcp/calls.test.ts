/** Calling tools of real tool servers: programs of their own, and servers over HTTP. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DoubtError, OutputWithFiles, ToolError } from '../../../server/tools/tool.ts';
import { eventually } from '../../support/eventually.ts';
import { isAlive, openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import {
  startHttpMcpServer,
  type HttpMcpOptions,
  type HttpMcpServer,
} from '../../support/mcp-server/index.ts';

async function openHttp(options: HttpMcpOptions = {}): Promise<{ parts: McpParts; server: HttpMcpServer }> {
  const parts = await openMcpParts();
  const server = await startHttpMcpServer({ ...options, eventsFile: parts.eventsFile });
  onTestFinished(() => server.close());
  await parts.mcp.create({ name: 'Lamp', transport: 'http', url: server.url });
  return { parts, server };
}

async function openProgram(env: Record<string, string> = {}): Promise<McpParts> {
  const parts = await openMcpParts();
  await parts.addLamp(env);
  return parts;
}

const KINDS: [string, (switches?: { isModernOnly?: boolean }) => Promise<McpParts>][] = [
  [
    'a program',
    ({ isModernOnly = false } = {}) => openProgram(isModernOnly ? { MCP_TEST_MODERN_ONLY: '1' } : {}),
  ],
  ['an address', async (switches) => (await openHttp(switches)).parts],
];

describe.each(KINDS)('a tool of %s', (_kind, open) => {
  it('gives what it says, as plain data', async () => {
    const { call } = await open();
    expect(await call('echo', { text: 'hello' })).toEqual({ text: 'hello' });
    expect(await call('add', { a: 2, b: 3 })).toEqual({ sum: 5 });
  });

  it('works where the server knows the newest protocol only', async () => {
    const { call } = await open({ isModernOnly: true });
    expect(await call('echo', { text: 'new' })).toEqual({ text: 'new' });
  });

  it('gives pictures, sounds and files apart, with a note of each', async () => {
    const { call } = await open();
    const given = await call('picture');
    if (!(given instanceof OutputWithFiles)) throw new Error('There are no files.');
    expect(given.output).toEqual({
      content: [
        'Here it is.',
        { file: 'image-1.png', type: 'image/png', bytes: 68 },
        { file: 'audio-2.wav', type: 'audio/wav', bytes: 3 },
        { resource: 'lamp://note', type: 'text/plain', text: 'A note.' },
        { resource: 'lamp://blob', file: 'blob', type: 'application/pdf', bytes: 6 },
        { resource: 'https://lamp.example/manual', name: 'manual' },
      ],
    });
    expect(given.files.map(({ name, mediaType, data }) => [name, mediaType, data.length])).toEqual([
      ['image-1.png', 'image/png', 68],
      ['audio-2.wav', 'audio/wav', 3],
      ['blob', 'application/pdf', 6],
    ]);
  });

  it('that fails is told in its own words, and one that breaks in the server’s', async () => {
    const { call } = await open();
    await expect(call('fails')).rejects.toThrow(new ToolError('The lamp is not plugged in.'));
    await expect(call('throws')).rejects.toThrow(
      new ToolError('The tool server “Lamp” answered with an error: “The lamp fell over.”.'),
    );
    expect(await call('echo', { text: 'still there' })).toEqual({ text: 'still there' });
  });

  it('that is stopped is cancelled on the wire, and the next call works', async () => {
    const { call, events } = await open();
    const stop = new AbortController();
    const hanging = call('hangs', {}, stop.signal);
    await eventually(async () => expect(await events()).toContain('called hangs'));
    stop.abort(new Error('stopped by a person'));
    await expect(hanging).rejects.toThrow('stopped by a person');
    await eventually(async () => expect(await events()).toContain('cancelled hangs'));
    expect(await call('echo', { text: 'on' })).toEqual({ text: 'on' });
  });

  it('tells when it gets on', async () => {
    const { call } = await open();
    let signs = 0;
    const worked = call('works', { times: 3, everyMs: 50 }, undefined, () => (signs += 1));
    expect(await worked).toEqual({ text: 'worked' });
    // Those that come together with the answer are late, and tell nothing that matters any more.
    expect(signs).toBeGreaterThan(0);
  });

  it('may say a lot', async () => {
    const { call } = await open();
    expect(await call('huge', { characters: 3_000_000 })).toEqual({ text: 'x'.repeat(3_000_000) });
  });
});

describe('a program', () => {
  it('is started once, in the person’s home, with what was given and none of Parley’s own environment', async () => {
    process.env['PARLEY_TEST_SECRET'] = 'not for others';
    onTestFinished(() => {
      delete process.env['PARLEY_TEST_SECRET'];
    });
    const { call, pids } = await openProgram({ LAMP_KEY: 'a-key-of-the-lamp' });
    const { text } = (await call('environment')) as { text: string };
    const { names, cwd } = JSON.parse(text) as { names: string[]; cwd: string };
    expect(cwd).toBe(homedir());
    expect(names).toContain('LAMP_KEY');
    expect(names).toContain('PATH');
    expect(names).not.toContain('PARLEY_TEST_SECRET');
    expect(names.filter((name) => name.startsWith('VITEST'))).toEqual([]);
    expect(await pids()).toHaveLength(1);
  });

  it('that ends in a call is told, is not called again by itself, and is started for the next call', async () => {
    const { call, events, pids } = await openProgram({ MCP_TEST_DIES_IN_CALL: '1' });
    for (const count of [1, 2]) {
      await expect(call('echo', { text: 'x' })).rejects.toThrow(
        new DoubtError(
          'The tool server “Lamp” ended while the tool was running. Whether it took effect is not known.',
        ),
      );
      expect((await events()).filter((line) => line === 'called echo')).toHaveLength(count);
    }
    expect(await pids()).toHaveLength(2);
  });

  it('that ends after a call is started anew for the next', async () => {
    const parts = await openMcpParts();
    const counterFile = join(parts.dir, 'runs');
    await parts.addLamp({ MCP_TEST_DIES_AFTER_CALL: '1', MCP_TEST_COUNTER_FILE: counterFile });
    for (const line of ['one', 'two']) {
      expect(await parts.call('write_counter', { line })).toEqual({ text: 'written' });
      const pid = (await parts.pids()).at(-1) ?? 0;
      await eventually(() => expect(isAlive(pid)).toBe(false));
    }
    expect(await readFile(counterFile, 'utf8')).toBe('one\ntwo\n');
  });
});

describe('an address', () => {
  it('whose server was started anew is connected again, and the call made once', async () => {
    const { parts, server } = await openHttp();
    expect(await parts.call('echo', { text: 'before' })).toEqual({ text: 'before' });
    server.forget();
    expect(await parts.call('echo', { text: 'after' })).toEqual({ text: 'after' });
    expect((await parts.events()).filter((line) => line === 'called echo')).toHaveLength(2);
  });

  it('that breaks off in a call is told', async () => {
    const { parts } = await openHttp({ diesInCall: true });
    await expect(parts.call('hangs')).rejects.toThrow(
      /^The tool server “Lamp” ended while the tool was running/,
    );
  });

  it('where nobody answers any more is told', async () => {
    const { parts, server } = await openHttp();
    await parts.tools();
    await server.close();
    await expect(parts.call('echo', { text: 'x' })).rejects.toThrow(ToolError);
  });
});
