/** The cost of streaming: many chats at once, each fed by a model server at a steady pace, while a client polls. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuMs, createChats, firstLine, startServer, type RunningServer } from './servers.ts';

const STREAMS = 20;
const TOKENS_PER_SECOND = 100;
const SECONDS = 15;
const TOKENS = TOKENS_PER_SECOND * SECONDS;
const POLL_EVERY_MS = 10;

/** The results. Processor time and bytes are per token. */
export interface StreamFigures {
  /** How long the last chat took, as a ratio to the stream's own length. */
  pace: number;
  /** Microseconds of processor time, all threads. */
  cpuUs: number;
  /** The same for a program that only reads the streams. */
  readerCpuUs: number;
  /** Bytes written to disk. */
  bytes: number;
  /** From a poll to its answer, in milliseconds: the median, and the time that one in twenty exceeds. */
  pollMs: number;
  slowPollMs: number;
}

const run = (file: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Streams to that many chats at once. */
export async function measureStreams(): Promise<StreamFigures> {
  const tokens = run('./token-server.ts', String(TOKENS_PER_SECOND), String(TOKENS));
  try {
    const { baseUrl } = JSON.parse(await firstLine(tokens)) as { baseUrl: string };
    const reader = JSON.parse(await firstLine(run('./stream-reader.ts', baseUrl, String(STREAMS)))) as {
      tokens: number;
      cpuMs: number;
    };
    const server = await startServer('parley');
    try {
      return {
        ...(await stream(server, baseUrl)),
        readerCpuUs: (reader.cpuMs * 1000) / reader.tokens,
      };
    } finally {
      await server.stop();
    }
  } finally {
    const gone = once(tokens, 'exit');
    tokens.kill('SIGTERM');
    await gone;
  }
}

async function stream(server: RunningServer, modelUrl: string): Promise<Omit<StreamFigures, 'readerCpuUs'>> {
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const response = await fetch(`${server.baseUrl}/api/v1/${path}`, {
      method,
      headers: { ...server.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  };
  await call('POST', 'connections', { provider: 'openai_compatible', name: 'Tokens', baseUrl: modelUrl });
  await call('PATCH', 'settings', { nameChats: false });
  const chats = await createChats(server, STREAMS);
  for (const { id } of chats) await call('PATCH', `chats/${id}`, { model: 'tokens/m' });
  const cpuBefore = await cpuMs(server.pid);
  const bytesBefore = await bytesIn(join(server.folder, 'store'));
  const startedAt = performance.now();
  await Promise.all(chats.map(({ id }) => call('POST', `chats/${id}/messages`, { content: 'Go.' })));

  const polls: number[] = [];
  const atRest = new Set<string>();
  while (atRest.size < chats.length) {
    for (const { id } of chats) {
      if (atRest.has(id)) continue;
      const askedAt = performance.now();
      const response = await fetch(`${server.baseUrl}/api/v1/chats/${id}`, { headers: server.headers });
      const { chat } = (await response.json()) as { chat: { status: string } };
      polls.push(performance.now() - askedAt);
      if (chat.status === 'failed') throw new Error('A chat failed.');
      if (chat.status === 'idle') atRest.add(id);
      await sleep(POLL_EVERY_MS);
    }
  }
  const tookMs = performance.now() - startedAt;
  polls.sort((one, other) => one - other);
  const all = STREAMS * TOKENS;
  return {
    pace: tookMs / (SECONDS * 1000),
    cpuUs: (((await cpuMs(server.pid)) - cpuBefore) * 1000) / all,
    bytes: ((await bytesIn(join(server.folder, 'store'))) - bytesBefore) / all,
    pollMs: polls[Math.floor(polls.length / 2)] ?? Number.NaN,
    slowPollMs: polls[Math.floor(polls.length * 0.95)] ?? Number.NaN,
  };
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
