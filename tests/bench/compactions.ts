/** How much clients notice of compactions and of deleting for good, and how long a start takes after a kill. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createChats, prepareParley, startServer, type RunningServer } from './servers.ts';
import { rm } from 'node:fs/promises';

const MESSAGES_PER_CHAT = 200;
const CHATS_ERASED = 80;
/** Few, over and over: this is about the log, not about a growing store. */
const CHATS_DRAFTED = 20;
const POLL_MS = 5;
/** Each turn writes some kilobytes to the log: enough for several compactions. */
const LONG_TEXT = 'A message of some length, as people paste them. '.repeat(1_000);
const LONG_MESSAGES = 400;

export interface CompactionFigures {
  /** The poll that one in a hundred exceeds, in milliseconds. */
  restMs: number;
  compactingMs: number;
  erasingMs: number;
  eraseOneMs: number;
  eraseManyMs: number;
  startAfterKillMs: number;
  memoryBeforeMb: number;
  memoryAfterMb: number;
}

/** Measures a store with that many messages. */
export async function measureCompactions(messages: number): Promise<CompactionFigures> {
  const prepared = await prepareParley({
    workspaces: 1,
    chatsPerWorkspace: messages / MESSAGES_PER_CHAT,
    messagesPerChat: MESSAGES_PER_CHAT,
  });
  const workspaceId = prepared.chats[0]?.workspaceId ?? '';
  const options = { folder: prepared.folder, apiKey: prepared.apiKey };
  const server = await startServer('parley', options);
  server.headers['x-workspace-id'] = workspaceId;
  // Indexing the prepared data, and the compaction after it, aren't measured.
  await sleep(15_000);
  const polled = (await createChats(server, 1))[0]?.id ?? '';
  const restMs = await slowPoll(server, polled, () => sleep(3_000));
  const memoryBeforeMb = await server.memoryMb();
  const compactingMs = await slowPoll(server, polled, async () => {
    for (let sent = 0; sent < LONG_MESSAGES; sent += 1) {
      const path = `/api/v1/drafts/${prepared.chats[sent % CHATS_DRAFTED]?.id ?? ''}`;
      await call(server, 'PUT', path, { text: `${sent} ${LONG_TEXT}`, updatedAt: new Date().toISOString() });
    }
  });
  const erase = ({ id }: { id: string }): Promise<void> =>
    call(server, 'DELETE', `/api/v1/chats/${id}?permanent=true`);
  const [first, ...others] = prepared.chats.slice(0, CHATS_ERASED + 1);
  const eraseOneMs = await timed(() => (first ? erase(first) : Promise.resolve()));
  let eraseManyMs = 0;
  const erasingMs = await slowPoll(server, polled, async () => {
    eraseManyMs = await timed(async () => {
      await Promise.all(others.map(erase));
    });
  });
  await sleep(60_000);
  const memoryAfterMb = await server.memoryMb();
  process.kill(server.pid, 'SIGKILL');
  await sleep(500);
  const next = await startServer('parley', options);
  const startAfterKillMs = next.readyAfterMs;
  await next.stop();
  await rm(prepared.folder, { recursive: true, force: true });
  return {
    restMs,
    compactingMs,
    erasingMs,
    eraseOneMs,
    eraseManyMs,
    startAfterKillMs,
    memoryBeforeMb,
    memoryAfterMb,
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function call(server: RunningServer, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: { ...server.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
}

/** Polls a chat every {@link POLL_MS} while the work runs; returns the time that one poll in a hundred exceeds. */
async function slowPoll(
  server: RunningServer,
  chatId: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  const goesOn = (): boolean => !isDone;
  do {
    times.push(await timed(() => call(server, 'GET', `/api/v1/chats/${chatId}`)));
    await sleep(POLL_MS);
  } while (goesOn());
  await working;
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
