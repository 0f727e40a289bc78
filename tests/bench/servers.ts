/** Starts the three servers to compare as separate processes, each on a fresh folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createChat } from '../../server/store/chat-repository.ts';
import { createKey } from '../../server/store/key-repository.ts';
import { createMessage } from '../../server/store/message-repository.ts';
import { openStore } from '../../server/store/store.ts';
import type { Writer } from '../../server/store/types.ts';
import { createWorkspace } from '../../server/store/workspace-repository.ts';

export type ServerName = 'parley' | 'bare' | 'plain';

/** A running server, and how to talk to it. */
export interface RunningServer {
  name: ServerName;
  baseUrl: string;
  /** A link that opens Parley's page signed in; empty for the others. */
  pageUrl: string;
  headers: Record<string, string>;
  /** Milliseconds from starting the process to its ready line. */
  readyAfterMs: number;
  pid: number;
  /** Resident memory now, in MB. */
  memoryMb(): Promise<number>;
  /** Of a probed server: the longest block of its event loop since the last call, in milliseconds of processor time. */
  longestBlockMs(): Promise<number>;
  /** Ends the process and removes its folder unless told to keep it. */
  stop(keepFolder?: boolean): Promise<void>;
  folder: string;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Chats written in one transaction, and the time between them: 10,000 chats cover most of a year. */
const CHATS_AT_ONCE = 100;
const APART_MS = 45 * 60_000;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

const ENTRIES: Record<ServerName, (folder: string) => string[]> = {
  // With the flags of `npm run serve`.
  parley: (folder) => [
    '--max-semi-space-size=8',
    '--v8-pool-size=2',
    ...[here('../../out/main/cli.js'), '--port', '0', '--json', '--data-dir', folder],
  ],
  bare: () => [here('./bare-server.ts')],
  plain: (folder) => [here('./plain-sqlite-server.ts'), folder],
};

/** A new folder for a server's data. */
export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'parley-bench-'));

/** Starts a server on a folder (a fresh one unless given) and waits for the line that says it is ready. */
export async function startServer(
  name: ServerName,
  options: { folder?: string; apiKey?: string; isProbed?: boolean } = {},
): Promise<RunningServer> {
  const folder = options.folder ?? (await newFolder());
  const startedAt = performance.now();
  const probe = options.isProbed === true ? ['--import', here('./stall-probe.ts')] : [];
  const child = spawn(process.execPath, [...probe, ...ENTRIES[name](folder)], {
    stdio: ['ignore', 'pipe', 'inherit', ...(options.isProbed === true ? ['ipc' as const] : [])],
  });
  const line = await firstLine(child);
  const readyAfterMs = performance.now() - startedAt;
  const ready = JSON.parse(line) as { baseUrl: string; apiKey?: string; pageUrl?: string };
  const apiKey = options.apiKey ?? ready.apiKey;
  return {
    name,
    baseUrl: ready.baseUrl,
    pageUrl: ready.pageUrl ?? '',
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    readyAfterMs,
    pid: child.pid ?? 0,
    folder,
    memoryMb: () => memoryMb(child),
    longestBlockMs: async () => {
      child.send('report');
      const [ms] = (await once(child, 'message')) as [number];
      return ms;
    },
    stop: async (keepFolder = false) => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      if (!keepFolder) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The first line that a process prints. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server has no output to read.');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    once(child, 'exit').then(() => Promise.reject(new Error('The server ended before it was ready.'))),
  ]);
  lines.close();
  child.stdout.resume();
  return line;
}

async function memoryMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Processor time of a process so far, all its threads. */
export async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Contents of a prepared Parley folder. */
export interface Prepared {
  folder: string;
  /** Bound to no workspace. */
  apiKey: string;
  chats: { id: string; workspaceId: string }[];
}

/** Creates a folder with many workspaces, so that one workspace's limit of waiting messages doesn't affect the results. */
export async function prepareParley(options: {
  workspaces: number;
  chatsPerWorkspace: number;
  messagesPerChat?: number;
  /** Messages of the last chat, which is the newest. */
  longChatMessages?: number;
  /** Chats without messages in the first workspace, older than the others. */
  emptyChats?: number;
}): Promise<Prepared> {
  const folder = await newFolder();
  const apiKey = `parley_${randomBytes(32).toString('base64url')}`;
  const nowMs = Date.now();
  const now = new Date(nowMs).toISOString();
  const chats: Prepared['chats'] = [];
  const store = await openStore({ dir: join(folder, 'store') });
  await store.write((writer) => {
    createKey(writer, {
      id: randomUUID(),
      kind: 'person',
      name: 'bench',
      prefix: apiKey.slice(0, 12),
      digest: createHash('sha256').update(apiKey).digest('hex'),
      scope: 'admin',
      reach: true,
      approve: true,
      workspaceId: null,
      createdAt: now,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    for (let index = 0; index < options.workspaces; index += 1) {
      const workspaceId = randomUUID();
      createWorkspace(writer, { id: workspaceId, name: `Bench ${index}`, createdAt: now });
      const emptyChats = index === 0 ? (options.emptyChats ?? 0) : 0;
      for (let count = 0; count < emptyChats + options.chatsPerWorkspace; count += 1) {
        chats.push({ id: randomUUID(), workspaceId });
      }
    }
  });
  for (let from = 0; from < chats.length; from += CHATS_AT_ONCE) {
    await store.write((writer) => {
      for (const [index, chat] of chats.slice(from, from + CHATS_AT_ONCE).entries()) {
        const isLast = from + index === chats.length - 1;
        const isEmpty = from + index < (options.emptyChats ?? 0);
        const { messagesPerChat, longChatMessages } = options;
        const messages = isEmpty ? 0 : isLast ? (longChatMessages ?? messagesPerChat) : messagesPerChat;
        writeChat(
          writer,
          chat,
          new Date(nowMs - (chats.length - 1 - from - index) * APART_MS),
          messages ?? 0,
        );
      }
    });
  }
  await store.close();
  return { folder, apiKey, chats };
}

/** Creates chats over HTTP, for the servers that have no workspaces. */
export async function createChats(server: RunningServer, count: number): Promise<Prepared['chats']> {
  const chats: Prepared['chats'] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await fetch(`${server.baseUrl}/api/v1/chats`, {
      method: 'POST',
      headers: server.headers,
    });
    const { id } = (await response.json()) as { id: string };
    chats.push({ id, workspaceId: '' });
  }
  return chats;
}

/** A chat at rest, with messages and replies in turn. */
function writeChat(
  writer: Writer,
  chat: { id: string; workspaceId: string },
  time: Date,
  messages: number,
): void {
  const now = time.toISOString();
  createChat(writer, {
    ...chat,
    title: messages === 0 ? 'New chat' : `A chat of ${messages} messages`,
    createdAt: now,
    updatedAt: now,
  });
  let question: string | null = null;
  for (let index = 0; index < messages; index += 1) {
    const id: string = randomUUID();
    const fromPerson: boolean = question === null;
    createMessage(writer, {
      id,
      chatId: chat.id,
      workspaceId: chat.workspaceId,
      role: fromPerson ? 'user' : 'assistant',
      content: fromPerson
        ? `Message ${index}: what is ${index} * 23?`
        : `Message ${index}: ${index - 1} × 23 = **${(index - 1) * 23}**.`,
      status: 'complete',
      mode: fromPerson ? 'agent' : null,
      model: fromPerson ? null : 'offline-assistant',
      steps: [],
      error: null,
      usage: null,
      stopReason: fromPerson ? null : 'end',
      replyTo: question,
      createdAt: now,
    });
    question = fromPerson ? id : null;
  }
}
