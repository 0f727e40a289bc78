import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Chat } from '../../../shared/api/chat.ts';
import type { Message } from '../../../shared/api/message.ts';
import { bundled } from '../../support/bundled.ts';
import type { WantedService } from '../../support/many-services.ts';
import { NODE } from '../../support/platform.ts';
import { hostService } from './hosted-service.ts';

const CLI = fileURLToPath(new URL('../../../out/main/cli.js', import.meta.url));
/** The service with replies directed by the messages; see tests/support/directed-runtime.ts. */
const DIRECTED = fileURLToPath(bundled('scripted-service'));
const MANY = 500;
const EXIT_TIMEOUT_MS = 15_000;

/** The service's output when it is ready. */
interface Ready {
  baseUrl: string;
  apiKey: string;
  pageUrl: string;
}

/** A service with its own data folder. */
export interface TestService extends Ready {
  /** Kills its process as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data; `pageUrl` is a fresh link from then on. */
  restart(): Promise<void>;
  /** One request with the local key; rejects with the answer if it is an error. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  readonly dataDir: string;
  /** A new link that signs a page in, once. */
  pageLink(): Promise<string>;
  createChat(): Promise<Chat>;
  send(chatId: string, content: string): Promise<Chat>;
  /** Sends enough messages to keep the service busy for seconds. */
  sendMany(chatId: string): Promise<void>;
  messages(chatId: string): Promise<Message[]>;
  /** Ends the process and removes its data. */
  close(): Promise<void>;
}

/** How to start a service. */
export interface TestServiceOptions extends Partial<WantedService> {
  /** In one process shared with this worker's others: it can't be killed. A separate process unless given. */
  hosted?: boolean;
}

/** A running service. */
interface Running {
  readonly ready: Ready;
  dataDir: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the built service on a free port, or one of the others that the options name. */
export async function startTestService({
  directed = false,
  asking = null,
  hosted = false,
}: TestServiceOptions = {}): Promise<TestService> {
  if (!existsSync(CLI)) throw new Error('out/ is missing: build the project before the end-to-end tests.');
  if (!hosted && asking !== null) throw new Error('A service whose tools ask first is hosted.');
  const running = hosted ? await runHosted({ directed, asking }) : await runApart(directed ? DIRECTED : CLI);

  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(running.ready.baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${running.ready.apiKey}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  const send = async (chatId: string, content: string): Promise<Chat> =>
    (await call<{ chat: Chat }>('POST', `/api/v1/chats/${chatId}/messages`, { content })).chat;

  return {
    get baseUrl() {
      return running.ready.baseUrl;
    },
    get apiKey() {
      return running.ready.apiKey;
    },
    get pageUrl() {
      return running.ready.pageUrl;
    },
    dataDir: running.dataDir,
    kill: () => running.kill(),
    restart: () => running.restart(),
    call,
    pageLink: async () => (await call<{ pageUrl: string }>('POST', '/api/v1/page-link')).pageUrl,
    createChat: () => call<Chat>('POST', '/api/v1/chats', {}),
    send,
    sendMany: async (chatId) => {
      await Promise.all(Array.from({ length: MANY }, (_, index) => send(chatId, `What is ${index} + 1?`)));
    },
    messages: async (chatId) =>
      (await call<{ messages: Message[] }>('GET', `/api/v1/chats/${chatId}/messages`)).messages,
    close: () => running.close(),
  };
}

async function runHosted(wanted: WantedService): Promise<Running> {
  const { stop, dataDir, ...ready } = await hostService(wanted);
  const refuse = (): Promise<never> =>
    Promise.reject(new Error('This service has no process of its own: see OWN_PROCESS.'));
  return { ready, dataDir, kill: refuse, restart: refuse, close: async () => stop() };
}

async function runApart(entry: string): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  let running = await run(entry, dataDir, '0');
  return {
    get ready() {
      return running.ready;
    },
    dataDir,
    kill: () => running.kill(),
    restart: async () => {
      await running.kill();
      running = await run(entry, dataDir, new URL(running.ready.baseUrl).port);
    },
    close: async () => {
      await running.kill();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function run(
  entry: string,
  dataDir: string,
  port: string,
): Promise<{ ready: Ready; kill: () => Promise<void> }> {
  const child = spawn(NODE, [entry, '--port', port, '--data-dir', dataDir, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ready = await new Promise<Ready>((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('\n')) resolve(JSON.parse(printed) as Ready);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${complaints}`)));
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, EXIT_TIMEOUT_MS))]);
  };
  return { ready, kill };
}
