/**
 * The real service in this process, on a free port and with its own data folder, and a small client. Every answer that the client
 * gets is checked against the API's document.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import type { Service, StartOptions } from '../../server/service.ts';
import { startService } from '../../server/start.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { ErrorBody } from '../../shared/api/common.ts';
import type { Message } from '../../shared/api/message.ts';
import { apiChecks } from './api-document.ts';
import { createSharedAgents } from './shared-agents.ts';

/** The request. Paths and headers are sent unchanged, unlike with `fetch`. */
export interface TestRequest {
  method: string;
  path: string;
  /** The local key unless given; null sends none. */
  key?: string | null;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON, with its content type. */
  json?: unknown;
  /** Sent as it is, without a content type. */
  body?: string | Buffer;
}

/** The answer. */
export interface TestAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, parsed, as what the caller knows it to be. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  json<T>(): T;
  /** The error in the body; throws when the body is not one. */
  error(): ErrorBody['error'];
}

/** A client of one service. */
export interface TestClient {
  request(request: TestRequest): Promise<TestAnswer>;
  get(path: string, options?: Partial<TestRequest>): Promise<TestAnswer>;
  post(path: string, json?: unknown, options?: Partial<TestRequest>): Promise<TestAnswer>;
  createChat(body?: unknown): Promise<Chat>;
  send(chatId: string, content: string, body?: object): Promise<Chat>;
  chat(chatId: string): Promise<Chat>;
  messages(chatId: string, query?: string): Promise<Message[]>;
  /** Waits until the chat is at rest. */
  settled(chatId: string): Promise<Chat>;
}

/** A running service with a client; it is closed and its folder removed after the test. */
export interface TestService extends TestClient {
  service: Service;
  /** Faults of ours, as logged. */
  log: string[];
}

/** A new folder in the system's temporary folder, removed after the test. */
export async function createTempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

const logs: string[][] = [];
const agents = createSharedAgents((line) => logs.forEach((log) => log.push(line)));

/** Starts a service; what it logs is pushed to `log`. */
function start(dataDir: string, log: string[], options: Partial<StartOptions>): Promise<Service> {
  logs.push(log);
  return startService({
    port: 0,
    log: (line) => log.push(line),
    runtime: agents.runtime,
    ...options,
    dataDir,
  });
}

/** Starts a service for one test; call it inside the test. */
export async function startTestService(options: Partial<StartOptions> = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? (await createTempDir());
  const log: string[] = [];
  const service = await start(dataDir, log, options);
  onTestFinished(() => service.close());
  return { service, log, ...createTestClient(service.port, service.apiKey) };
}

/** Starts a service that all tests of a file share; call it at the top of the file. */
export async function startSharedService(options: Partial<StartOptions> = {}): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const log: string[] = [];
  const service = await start(dataDir, log, options);
  afterAll(async () => {
    await service.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return { service, log, ...createTestClient(service.port, service.apiKey) };
}

/** Creates another workspace and a key for its chats only; resolves with the key's text. */
export async function keyElsewhere({
  post,
  service,
}: Pick<TestService, 'post' | 'service'>): Promise<string> {
  const answer = await post('/api/v1/workspaces', { name: 'Other' });
  const { id: workspaceId } = answer.json<{ workspace: { id: string } }>().workspace;
  const wanted = { kind: 'person', name: 'other', scope: 'chat', workspaceId, expiresAt: null } as const;
  return (await service.keys.create(wanted)).text;
}

/** Status and code of an answer that is an error. */
export const outcome = (answer: TestAnswer): [number, string] => [answer.status, answer.error().code];

/** A client that uses `apiKey` unless told otherwise. */
export function createTestClient(port: number, apiKey: string): TestClient {
  const agent = new Agent({ keepAlive: true });

  const send = ({ method, path, key = apiKey, headers = {}, json, body }: TestRequest): Promise<TestAnswer> =>
    new Promise((resolve, reject) => {
      const payload = json === undefined ? body : JSON.stringify(json);
      const outgoing = httpRequest(
        {
          agent,
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: {
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
            ...(payload === undefined || 'transfer-encoding' in headers
              ? {}
              : { 'content-length': Buffer.byteLength(payload) }),
            ...headers,
          },
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(pieces).toString('utf8');
            resolve(toAnswer(response.statusCode ?? 0, response.headers, text));
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(payload);
    });

  const request = async (sent: TestRequest): Promise<TestAnswer> => {
    const [answer, checks] = await Promise.all([send(sent), apiChecks()]);
    checks.answer(sent.method, sent.path, answer);
    return answer;
  };
  const get: TestClient['get'] = (path, options = {}) => request({ method: 'GET', path, ...options });
  const post: TestClient['post'] = (path, json, options = {}) =>
    request({ method: 'POST', path, json, ...options });
  const chat = async (chatId: string, query = ''): Promise<Chat> =>
    ok(await get(`/api/v1/chats/${chatId}${query}`), 200).json<{ chat: Chat }>().chat;

  return {
    request,
    get,
    post,
    chat: (chatId) => chat(chatId),
    createChat: async (body) => ok(await post('/api/v1/chats', body), 201).json<Chat>(),
    send: async (chatId, content, body = {}) =>
      ok(await post(`/api/v1/chats/${chatId}/messages`, { content, ...body }), 200).json<{ chat: Chat }>()
        .chat,
    messages: async (chatId, query = '') =>
      ok(await get(`/api/v1/chats/${chatId}/messages${query}`), 200).json<{ messages: Message[] }>().messages,
    async settled(chatId) {
      for (;;) {
        const current = await chat(chatId, '?wait=60');
        if (['idle', 'failed', 'stopped'].includes(current.status)) return current;
      }
    },
  };
}

function ok(answer: TestAnswer, status: number): TestAnswer {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}

function toAnswer(status: number, headers: IncomingHttpHeaders, text: string): TestAnswer {
  return {
    status,
    headers,
    text,
    json: () => JSON.parse(text) as never,
    error: () => {
      const { error } = JSON.parse(text) as Partial<ErrorBody>;
      if (error === undefined) throw new Error(`Not an error: ${text}`);
      return error;
    },
  };
}

/** Sends bytes as they are and returns all that comes back until the connection ends, or `untilText` is in it. */
export function sendRaw(port: number, bytes: string | Buffer, untilText?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const done = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      received += piece;
      if (untilText !== undefined && received.includes(untilText)) done();
    });
    socket.on('close', done);
    socket.on('error', (error) => (received === '' ? reject(error) : done()));
    socket.write(bytes);
  });
}
