/** The cost of clients that wait for a chat (`?wait=`), and how soon they are answered. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './scenarios.ts';
import { cpuMs, createChats, startServer, type RunningServer, type ServerName } from './servers.ts';

const CLIENTS = 1_000;
/** Connections opened at once: fewer than the backlog of a listening socket. */
const AT_ONCE = 100;
/** Connections for changing many chats, one after the other on each. */
const CHANGERS = 16;
/** How long processor time is measured, and how long a server is left idle before that, or before a change. */
const WATCH_MS = 10_000;
const CALM_MS = 2_000;

/** How soon the waiting clients were answered. */
export interface AnswerFigures {
  /** From sending the change of a client's chat to its answer: the first client's, the median, the last one's. */
  firstMs: number;
  medianMs: number;
  lastMs: number;
  /** Milliseconds of processor time for all answers, including the changes. */
  cpuMs: number;
}

/** The share of one processor that the service uses without waiting clients, and with 1,000 of them. */
export async function measureWaiting(): Promise<{ idleShare: number; waitingShare: number }> {
  return withServer('parley', async (server) => {
    const [chat] = await createChats(server, 1);
    await sleep(CALM_MS);
    const idleShare = await shareOf(server);
    const clients = await openClients(server, CLIENTS, () => waitFor(chat?.id ?? ''));
    await sleep(CALM_MS);
    const waitingShare = await shareOf(server);
    for (const { socket } of clients) socket.destroy();
    return { idleShare, waitingShare };
  });
}

/** Lets 1,000 clients wait for a change of that many chats, and then changes all of them. */
export async function measureAnswers(name: ServerName, chatCount: number): Promise<AnswerFigures> {
  return withServer(name, async (server) => {
    const ids = (await createChats(server, chatCount)).map(({ id }, index) =>
      // The bare server creates the same one each time.
      name === 'bare' ? String(index) : id,
    );
    const clients = await openClients(server, CLIENTS, (index) => waitFor(ids[index % ids.length] ?? ''));
    const changers = await openClients(server, Math.min(CHANGERS, ids.length));
    const [other] = await createChats(server, 1);
    // The first request of its kind compiles its schemas.
    await changers[0]?.ask('PATCH', `/api/v1/chats/${other?.id}`, { pinned: true });
    await sleep(CALM_MS);
    const cpuBefore = await cpuMs(server.pid);
    const changedAt = new Map<string, number>();
    const left = [...ids];
    const changed = changers.map(async (changer) => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        changedAt.set(id, performance.now());
        await changer.ask('PATCH', `/api/v1/chats/${id}`, { pinned: true });
      }
    });
    const answers = await Promise.all(clients.map(({ answered }) => answered));
    await Promise.all(changed);
    const cpu = (await cpuMs(server.pid)) - cpuBefore;
    for (const { socket } of [...clients, ...changers]) socket.destroy();
    const spans = answers.map((at, index) => at - (changedAt.get(ids[index % ids.length] ?? '') ?? 0));
    return { firstMs: Math.min(...spans), medianMs: median(spans), lastMs: Math.max(...spans), cpuMs: cpu };
  });
}

/** Turns per second when 1,000 clients each send a message to their own chat, and wait for the reply (`POST …/messages?wait=`). */
export async function sendsThatWaitPerSecond(): Promise<number> {
  return withServer('parley', async (server) => {
    const chats = await createChats(server, CLIENTS);
    const clients = await openClients(server, CLIENTS);
    const startedAt = performance.now();
    await Promise.all(
      clients.map((client, index) =>
        client.ask('POST', `/api/v1/chats/${chats[index]?.id}/messages?wait=60`, { content: 'Hello!' }),
      ),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    for (const { socket } of clients) socket.destroy();
    return CLIENTS / seconds;
  });
}

const waitFor = (chatId: string): string => `/api/v1/chats/${chatId}?wait=60&for=change`;

async function withServer<T>(name: ServerName, measure: (server: RunningServer) => Promise<T>): Promise<T> {
  const server = await startServer(name);
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}

async function shareOf(server: RunningServer): Promise<number> {
  const before = await cpuMs(server.pid);
  await sleep(WATCH_MS);
  return ((await cpuMs(server.pid)) - before) / WATCH_MS;
}

/** A connection with as little overhead as possible: only the service is to be measured. */
interface Client {
  socket: Socket;
  /** When the first request was answered. */
  answered: Promise<number>;
  /** Sends a request; resolves with the time of its answer. */
  ask: (method: string, path: string, json?: object) => Promise<number>;
}

/** Opens that many clients, each of which requests its path at once, if there is one. */
async function openClients(
  server: RunningServer,
  count: number,
  pathOf?: (index: number) => string,
): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - clients.length) }, (_, index) =>
      openClient(server, pathOf?.(clients.length + index)),
    );
    clients.push(...(await Promise.all(some)));
  }
  return clients;
}

async function openClient(server: RunningServer, path: string | undefined): Promise<Client> {
  const { hostname, port, host } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await once(socket, 'connect');
  let onAnswer: (data: Buffer) => void = () => undefined;
  socket.on('data', (data) => onAnswer(data));
  const ask: Client['ask'] = (method, asked, json) => {
    const body = json === undefined ? '' : JSON.stringify(json);
    const type =
      body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    socket.write(
      `${method} ${asked} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${server.headers['authorization']}\r\n${type}\r\n${body}`,
    );
    return new Promise((resolve, reject) => {
      onAnswer = (data) => {
        if (data.toString('latin1', 0, 12) === 'HTTP/1.1 200') resolve(performance.now());
        else reject(new Error(data.toString()));
      };
    });
  };
  return { socket, ask, answered: path === undefined ? Promise.resolve(0) : ask('GET', path) };
}
