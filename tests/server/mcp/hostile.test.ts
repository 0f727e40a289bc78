/** What a tool server may cost that behaves as none should: connections, memory, time. */
import { describe, expect, it } from 'vitest';
import type { McpOptions } from '../../../server/mcp/mcp-service.ts';
import { DoubtError } from '../../../server/tools/tool.ts';
import { eventually } from '../../support/eventually.ts';
import { openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import {
  startScriptedServer,
  writeScriptedProgram,
  type ScriptedAnswer,
  type ScriptedServer,
} from '../../support/mcp-server/scripted.ts';

const ASKS_TOO_MUCH = new DoubtError(
  'The tool server asks for answers faster than it takes them, so it was let go. Whether it took effect is not known.',
);
const SSE = { 'content-type': 'text/event-stream' };

async function openScripted(
  answers: Record<string, ScriptedAnswer>,
  limits: McpOptions['limits'] = {},
): Promise<{ parts: McpParts; server: ScriptedServer }> {
  const parts = await openMcpParts({ limits });
  const server = await startScriptedServer(answers);
  await parts.mcp.create({ name: 'Lamp', transport: 'http', url: server.url });
  return { parts, server };
}

describe('an address', () => {
  it.each<[string, ScriptedAnswer]>([
    ['begun', (_message, response) => response.writeHead(200, SSE).write(': wait\n\n')],
    ['nowhere near', () => undefined],
  ])('keeps no request open for calls that were stopped, the answer %s', async (_what, answer) => {
    let begun = 0;
    const { parts, server } = await openScripted({
      'tools/call': (...call) => {
        begun += 1;
        answer(...call);
      },
    });
    for (let count = 1; count <= 3; count += 1) {
      const stop = new AbortController();
      const call = parts.call('send', {}, stop.signal);
      await eventually(() => expect(begun).toBe(count));
      stop.abort(new Error('stopped'));
      await expect(call).rejects.toThrow('stopped');
    }
    await eventually(() => expect(server.open()).toBe(0));
  });

  it('keeps no request open for a notice that is never accepted', async () => {
    const never = { 'tools/call': () => undefined, 'notifications/cancelled': () => undefined };
    const { parts, server } = await openScripted(never, { noticeMs: 200 });
    await expect(parts.call('send', {}, AbortSignal.timeout(100))).rejects.toThrow();
    await eventually(() => expect(server.open()).toBe(0));
  });

  it('is let go when it asks for answers and takes none', async () => {
    const { parts, server } = await openScripted({
      answer: () => undefined,
      'tools/call': (_message, response) => {
        response.writeHead(200, SSE);
        for (let id = 0; id < 1_000; id += 1) response.write(`data: ${ping(id)}\n\n`);
      },
    });
    await expect(parts.call('send')).rejects.toThrow(ASKS_TOO_MUCH);
    expect(server.mostOpen()).toBeLessThan(50);
    await eventually(() => expect(server.open()).toBe(0));
  });

  it('may ask now and then', async () => {
    const answered: unknown[] = [];
    const { parts } = await openScripted({
      answer: ({ id }, response) => {
        answered.push(id);
        response.writeHead(202).end();
      },
      'tools/call': ({ id }, response) => {
        response.writeHead(200, SSE);
        for (let asked = 0; asked < 20; asked += 1) response.write(`data: ${ping(asked)}\n\n`);
        const said = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'sent' }] } };
        setTimeout(() => response.end(`data: ${JSON.stringify(said)}\n\n`), 100);
      },
    });
    expect(await parts.call('send')).toEqual({ text: 'sent' });
    await eventually(() => expect(answered).toHaveLength(20));
  });
});

describe('a program', () => {
  it('is let go when it asks for answers and reads none', async () => {
    const parts = await openMcpParts();
    const program = await writeScriptedProgram(
      parts.dir,
      `{ 'tools/call': (message, say, write) => {
        process.stdin.pause();
        for (let id = 0; id < 20_000; id += 1) write('{"jsonrpc":"2.0","method":"ping","id":"' + id + '${'x'.repeat(200)}"}');
      } }`,
    );
    await parts.mcp.create({ name: 'Lamp', transport: 'stdio', ...program });
    await expect(parts.call('send')).rejects.toThrow(ASKS_TOO_MUCH);
  });
});

describe('an answer that is too large', () => {
  const ENDLESS = 'x'.repeat(1024 * 1024);
  const call = async (parts: McpParts): Promise<DoubtError> => {
    const error: unknown = await parts.call('send').catch((problem: unknown) => problem);
    if (error instanceof DoubtError) return error;
    throw error;
  };

  it('is told as such at an address, also in a stream, and costs the server nothing', async () => {
    let isStream = false;
    const { parts } = await openScripted({
      'tools/call': ({ id }, response) => {
        response.writeHead(200, isStream ? SSE : { 'content-type': 'application/json' });
        response.write(`${isStream ? 'data: ' : ''}{"jsonrpc":"2.0","id":${String(id)},"result":"`);
        const more = (): void => {
          while (!response.destroyed && response.write(ENDLESS));
        };
        response.on('drain', more);
        more();
      },
    });
    for (isStream of [false, true]) {
      expect((await call(parts)).message).toBe(
        'The tool server “Lamp” answered with more than the 32 MB that can be read. Whether it took effect is not known.',
      );
    }
    expect(await parts.mcp.list()).toMatchObject([{ state: 'connected' }]);
  });

  it('is told as such of a program, which is started anew for the next call', async () => {
    const parts = await openMcpParts();
    await parts.addLamp();
    const tooLarge =
      'The tool server answered with more than the 16 MB that can be read, so it was let go. Whether it took effect is not known.';
    const said = parts.call('huge', { characters: 40_000_000 });
    await expect(said).rejects.toThrow(new DoubtError(tooLarge));
    expect(await parts.call('echo', { text: 'again' })).toEqual({ text: 'again' });
    expect(await parts.pids()).toHaveLength(2);
  });
});

/** A page of tools; there is always another. */
const page = (): unknown => ({
  tools: Array.from({ length: 1_000 }, () => ({ name: 'a', inputSchema: { type: 'object' } })),
  nextCursor: String(Math.random()),
});

describe('a list of tools without end', () => {
  const HAS_NO_END = {
    finding: 'failed',
    message: 'The tool server’s list of tools has more than 100 pages.',
  };

  it('is given up at an address', async () => {
    const { mcp } = await openMcpParts();
    let pages = 0;
    const { url } = await startScriptedServer({
      'tools/list': (_message, _response, say) => {
        pages += 1;
        say(page());
      },
    });
    expect(await mcp.test({ transport: 'http', url })).toMatchObject(HAS_NO_END);
    expect(pages).toBe(100);
  });

  it('is given up in a program', async () => {
    const { mcp, dir } = await openMcpParts();
    const program = await writeScriptedProgram(
      dir,
      `{ 'tools/list': (_, say) => say((${page.toString()})()) }`,
    );
    expect(await mcp.test({ transport: 'stdio', ...program })).toMatchObject(HAS_NO_END);
  });
});

const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id: `p${id}`, method: 'ping' });
