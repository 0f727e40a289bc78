/** What clients cost that wait for a chat (`?wait=`), and how soon they are answered. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, createChats, startServer, type RunningServer } from './servers.ts';

const CLIENTS = 1_000;
/** How long they wait before the change. */
const QUIET_MS = 10_000;
/** Connections opened at once: fewer than a listening socket has waiting in line. */
const AT_ONCE = 100;

/** What was measured. */
export interface WaitFigures {
  /** Share of one processor that the service takes while all wait, and without them. */
  cpuShare: number;
  idleShare: number;
  /** From the answer to what changed the chats to the first and the last answer of those who waited, in milliseconds. */
  firstMs: number;
  lastMs: number;
  /** Microseconds of processor for each answer, the change included. */
  answerUs: number;
}

/** Has clients wait for a change of so many chats, and then changes all of them. */
export async function measureWaits(chatCount: number): Promise<WaitFigures> {
  const server = await startServer('parley');
  try {
    return await measure(server, chatCount);
  } finally {
    await server.stop();
  }
}

async function measure(server: RunningServer, chatCount: number): Promise<WaitFigures> {
  const chats = await createChats(server, chatCount);
  await sleep(QUIET_MS / 2);
  const idleShare = await shareOf(server);
  const answeredAt: number[] = [];
  const sockets: Socket[] = [];
  while (sockets.length < CLIENTS) {
    const some = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const chat = chats[(sockets.length + index) % chats.length];
        return wait(server, chat?.id ?? '', () => answeredAt.push(performance.now()));
      }),
    );
    sockets.push(...some);
  }
  await sleep(QUIET_MS / 2);
  const cpuShare = await shareOf(server);

  const cpuBefore = await cpuMs(server.pid);
  const changedAt = await change(server, chats);
  while (answeredAt.length < CLIENTS) await sleep(10);
  const cpu = (await cpuMs(server.pid)) - cpuBefore;
  for (const socket of sockets) socket.destroy();
  return {
    cpuShare,
    idleShare,
    firstMs: Math.min(...answeredAt) - changedAt,
    lastMs: Math.max(...answeredAt) - changedAt,
    answerUs: (cpu * 1000) / CLIENTS,
  };
}

async function shareOf(server: RunningServer): Promise<number> {
  const before = await cpuMs(server.pid);
  await sleep(QUIET_MS);
  return ((await cpuMs(server.pid)) - before) / QUIET_MS;
}

/** Pins all the chats; when the last of them was sent. */
async function change(server: RunningServer, chats: { id: string }[]): Promise<number> {
  const body = JSON.stringify({ pinned: true });
  const headers = { ...server.headers, 'content-type': 'application/json' };
  const sent = chats.map(({ id }) =>
    fetch(`${server.baseUrl}/api/v1/chats/${id}`, { method: 'PATCH', headers, body }),
  );
  const changedAt = performance.now();
  for (const { status } of await Promise.all(sent))
    if (status !== 200) throw new Error(`Answered ${status}.`);
  return changedAt;
}

/** A client that waits, with as little of its own to do as can be: the service is what is measured. */
async function wait(server: RunningServer, chatId: string, onAnswer: () => void): Promise<Socket> {
  const { hostname, port, host } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.once('data', (data) => {
    if (!data.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(data.toString());
    onAnswer();
  });
  await once(socket, 'connect');
  socket.write(
    `GET /api/v1/chats/${chatId}?wait=60&for=change HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${server.headers['authorization']}\r\n\r\n`,
  );
  return socket;
}
