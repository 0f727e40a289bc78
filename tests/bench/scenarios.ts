/** The scenarios. Each returns one number for one server; `run.ts` repeats and compares them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { load, type LoadRequest } from './load.ts';
import { createChats, prepareParley, startServer, type RunningServer, type ServerName } from './servers.ts';

export const QUESTION = 'What is 17 * 23?';
export const GREETING = 'Hello!';
const SECONDS = 4;
const TURNS = 4_000;
const BURST_SENDS = 800;
const BURSTS = 7;
const BURST_PAUSE_MS = 2_000;
const CLIENTS = 16;
const TRIPS = 1_000;
/** Between two polls of one client, in milliseconds. */
const POLL_MS = 5;
/** Chats that get messages without pause, and for how long, after enough sends that the waiting messages are at their limit. */
const FLOODED_CHATS = 256;
const FLOOD_SECONDS = 8;
const FLOOD_BEFORE = 1_500;

type Chat = { id: string; workspaceId: string };

/** A server with empty chats, spread over workspaces if it has them. */
async function withChats<T>(
  name: ServerName,
  spread: { workspaces: number; chatsPerWorkspace: number },
  work: (server: RunningServer, chats: Chat[]) => Promise<T>,
): Promise<T> {
  if (name === 'parley') {
    const prepared = await prepareParley(spread);
    const server = await startServer(name, prepared);
    try {
      return await work(server, prepared.chats);
    } finally {
      await server.stop();
    }
  }
  const server = await startServer(name);
  try {
    return await work(server, await createChats(server, spread.workspaces * spread.chatsPerWorkspace));
  } finally {
    await server.stop();
  }
}

const send = (chat: Chat): LoadRequest => ({
  method: 'POST',
  path: `/api/v1/chats/${chat.id}/messages`,
  body: JSON.stringify({ content: QUESTION }),
  headers: { 'x-workspace-id': chat.workspaceId },
});

/** Durable sends answered per second in a burst: the median of some bursts, each on an otherwise idle server. */
export const sendsPerSecond = (name: ServerName): Promise<number> =>
  withChats(name, { workspaces: 1, chatsPerWorkspace: 256 }, async (server, chats) => {
    const rates: number[] = [];
    for (let burst = 0; burst < BURSTS; burst += 1) {
      rates.push(await load(server, chats.map(send), { requests: BURST_SENDS }));
      await allIdle(server, chats);
      await sleep(BURST_PAUSE_MS);
    }
    // The first ones warm it up.
    return median(rates.slice(2));
  });

/** Turns answered per second, from the first send until nothing waits; `words` tells the agent what to do. */
export const turnsPerSecond = (name: ServerName, words = QUESTION): Promise<number> =>
  withChats(name, { workspaces: 16, chatsPerWorkspace: 16 }, async (server, chats) => {
    const requests = chats.map((chat) => ({ ...send(chat), body: JSON.stringify({ content: words }) }));
    await load(server, requests, { requests: 512 });
    await allIdle(server, chats);
    const startedAt = performance.now();
    await load(server, requests, { requests: TURNS });
    await allIdle(server, chats);
    return TURNS / ((performance.now() - startedAt) / 1000);
  });

async function allIdle(server: RunningServer, chats: Chat[]): Promise<void> {
  for (const chat of chats) await untilIdle(server, chat.id, 20);
}

async function getJson<T>(server: RunningServer, path: string): Promise<T> {
  const response = await fetch(`${server.baseUrl}${path}`, { headers: server.headers });
  if (!response.ok) throw new Error(`${server.name} answered ${response.status} to ${path}`);
  return (await response.json()) as T;
}

async function untilIdle(server: RunningServer, chatId: string, everyMs: number): Promise<void> {
  for (;;) {
    const { chat } = await getJson<{ chat: { status: string } }>(server, `/api/v1/chats/${chatId}`);
    if (chat.status === 'idle') return;
    if (chat.status === 'failed' || chat.status === 'stopped')
      throw new Error(`A chat ended as ${chat.status}.`);
    await sleep(everyMs);
  }
}

/** Turns per second under a flood of sends, and without one. */
export interface Pace {
  underFlood: number;
  unhurried: number;
}

/**
 * The pace of turns while {@link CONNECTIONS} clients send without pause, refusals included, and while the messages still waiting
 * are answered. Counted by the times of the replies.
 */
export const turnPace = (name: ServerName, words: string): Promise<Pace> =>
  withChats(name, { workspaces: 1, chatsPerWorkspace: FLOODED_CHATS }, async (server, chats) => {
    const requests = chats.map((chat) => ({ ...send(chat), body: JSON.stringify({ content: words }) }));
    await load(server, requests, { requests: 1_000 }, { mayRefuse: true });
    await allIdle(server, chats);
    await load(server, requests, { requests: FLOOD_BEFORE }, { mayRefuse: true });
    const from = Date.now();
    await load(server, requests, { seconds: FLOOD_SECONDS }, { mayRefuse: true });
    const to = Date.now();
    await allIdle(server, chats);
    const times: number[] = [];
    for (const { id } of chats) {
      const { messages } = await getJson<{ messages: { role: string; createdAt: string }[] }>(
        server,
        `/api/v1/chats/${id}/messages`,
      );
      for (const { role, createdAt } of messages) if (role === 'assistant') times.push(Date.parse(createdAt));
    }
    const count = (start: number, end: number): number =>
      times.filter((time) => time >= start && time < end).length / ((end - start) / 1000);
    return { underFlood: count(from, to), unhurried: count(to, Math.max(...times)) };
  });

/** Sends to a chat, polls it until it is idle and reads its messages. */
async function trip(server: RunningServer, chat: Chat): Promise<void> {
  const { path, body, headers } = send(chat);
  const sent = await fetch(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...server.headers, ...headers, 'content-type': 'application/json' },
    body: body ?? '',
  });
  await sent.arrayBuffer();
  // The answer to the send already contained the status.
  await sleep(POLL_MS);
  await untilIdle(server, chat.id, POLL_MS);
  await getJson(server, `/api/v1/chats/${chat.id}/messages`);
}

/** Trips per second of that many clients, each with its own chat. */
export const tripsPerSecond = (name: ServerName): Promise<number> =>
  withChats(name, { workspaces: 1, chatsPerWorkspace: CLIENTS }, async (server, chats) => {
    const run = async (trips: number): Promise<number> => {
      const startedAt = performance.now();
      await Promise.all(
        chats.map(async (chat) => {
          for (let count = 0; count < trips / CLIENTS; count += 1) await trip(server, chat);
        }),
      );
      return trips / ((performance.now() - startedAt) / 1000);
    };
    await run(TRIPS / 2);
    return run(TRIPS);
  });

/** Median milliseconds of one client's trip. */
export const turnLatencyMs = (name: ServerName): Promise<number> =>
  withChats(name, { workspaces: 1, chatsPerWorkspace: 1 }, async (server, chats) => {
    const [chat] = chats;
    if (!chat) throw new Error('There is no chat to send to.');
    const times: number[] = [];
    for (let turn = 0; turn < 220; turn += 1) {
      const startedAt = performance.now();
      await trip(server, chat);
      if (turn >= 20) times.push(performance.now() - startedAt);
    }
    return median(times);
  });

/** Polls of one chat answered per second. */
export const pollsPerSecond = (name: ServerName): Promise<number> =>
  withChats(name, { workspaces: 1, chatsPerWorkspace: 16 }, async (server, chats) => {
    const requests = chats.map((chat): LoadRequest => ({ method: 'GET', path: `/api/v1/chats/${chat.id}` }));
    await load(server, requests, { requests: 2_000 });
    return load(server, requests, { seconds: SECONDS });
  });

/** Message lists of a 200-message chat answered per second. */
export const listsPerSecond = (name: ServerName): Promise<number> =>
  withChats(name, { workspaces: 1, chatsPerWorkspace: 1 }, async (server, chats) => {
    if (name !== 'bare') {
      await load(server, chats.map(send), { requests: 112 });
      await allIdle(server, chats);
    }
    const requests = chats.map((chat): LoadRequest => ({
      method: 'GET',
      path: `/api/v1/chats/${chat.id}/messages`,
    }));
    await load(server, requests, { requests: 1_000 });
    return load(server, requests, { seconds: SECONDS });
  });

/** Milliseconds from starting the process to its first answer to a list of chats. */
export async function startUpMs(
  name: ServerName,
  prepared?: { folder: string; apiKey: string; workspaceId: string },
): Promise<number> {
  const startedAt = performance.now();
  const server = await startServer(name, prepared ?? {});
  const query = prepared ? `?workspaceId=${prepared.workspaceId}` : '';
  await getJson(server, `/api/v1/chats${query}`);
  const elapsed = performance.now() - startedAt;
  await server.stop(prepared !== undefined);
  return elapsed;
}

/** Milliseconds from starting the process until the first whole reply has been read. */
export async function firstReplyMs(name: ServerName): Promise<number> {
  const startedAt = performance.now();
  const server = await startServer(name);
  const [chat] = await createChats(server, 1);
  if (!chat) throw new Error('No chat was made.');
  await fetch(`${server.baseUrl}/api/v1/chats/${chat.id}/messages`, {
    method: 'POST',
    headers: { ...server.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ content: QUESTION }),
  });
  await untilIdle(server, chat.id, 5);
  const elapsed = performance.now() - startedAt;
  await server.stop();
  return elapsed;
}

/** Resident MB of a server that has answered some turns and then been idle. */
export const idleMemoryMb = (name: ServerName, restSeconds: number): Promise<number> =>
  withChats(name, { workspaces: 1, chatsPerWorkspace: 4 }, async (server, chats) => {
    await load(server, chats.map(send), { requests: 64 });
    await allIdle(server, chats);
    await sleep(restSeconds * 1000);
    return server.memoryMb();
  });

/** The middle value; of an even number of values the upper of the two. */
export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
