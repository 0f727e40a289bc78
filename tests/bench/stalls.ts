/** How long each operation on a long chat, or over a large store, blocks the service's event loop at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { prepareParley, startServer, type RunningServer } from './servers.ts';

const LONG_CHAT_MESSAGES = 50_000;
const EMPTY_CHATS = 10_000;
const MESSAGES_PER_CHAT = 200;
/** A message of the long chat, a few from its beginning, is edited, deleted and so on. */
const EARLY = 4;

/** An operation, its longest block in milliseconds of processor time, and how long it took in all. */
export interface Stall {
  operation: string;
  longestMs: number;
  tookMs: number;
}

/** Measures each operation once, in a store with that many messages, half of them or 50,000 in one chat. */
export async function measureStalls(messages: number): Promise<Stall[]> {
  const prepared = await prepareParley({
    workspaces: 1,
    chatsPerWorkspace: 1 + (messages - LONG_CHAT_MESSAGES) / MESSAGES_PER_CHAT,
    messagesPerChat: MESSAGES_PER_CHAT,
    longChatMessages: LONG_CHAT_MESSAGES,
    emptyChats: EMPTY_CHATS,
  });
  const { folder, apiKey } = prepared;
  const { id, workspaceId } = prepared.chats.at(-1) ?? { id: '', workspaceId: '' };
  const server = await startServer('parley', { folder, apiKey, isProbed: true });
  server.headers['x-workspace-id'] = workspaceId;
  const stalls: Stall[] = [];
  const measure = async <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    await sleep(300);
    await server.longestBlockMs();
    const from = performance.now();
    const result = await work();
    const tookMs = performance.now() - from;
    // What follows an answer counts too: search index, event streams, a turn.
    await sleep(300);
    console.error(operation);
    stalls.push({ operation, longestMs: await server.longestBlockMs(), tookMs });
    return result;
  };
  const call = createCalls(server);
  const chat = `/api/v1/chats/${id}`;
  const search = (words: string) => () => call('GET', `/api/v1/search?q=${encodeURIComponent(words)}`);

  await measure('index messages', () => sleep(15_000));
  // Compiles what answers need.
  await call('GET', `${chat}/messages?limit=1`);
  await call('GET', '/api/v1/search?q=nothing');
  const early = (await messagesOf(call, `${chat}/messages?limit=${EARLY + 1}`))[EARLY];
  const last = await lastMessageOf(call, chat);
  const at = (messageId: string): string => `${chat}/messages/${messageId}`;
  const rest = (): Promise<unknown> => call('GET', `${chat}?wait=30`);

  await measure('list 10,000 chats, first and last page', async () => {
    await call('GET', '/api/v1/chats?pageSize=100');
    await call('GET', '/api/v1/chats?pageSize=100&page=100');
    await call('GET', '/api/v1/chats?pageSize=100&pinned=false');
  });
  await measure('list the messages', () => call('GET', `${chat}/messages`));
  await measure('first look of an event stream', () => call('GET', `/api/v1/events?chat=${id}&once=true`));
  await measure('event stream from the last message on', () =>
    call('GET', `/api/v1/events?chat=${id}&once=true`, undefined, {
      'last-event-id': `x.0/${last}.0`,
    }),
  );
  await measure('send and be answered', async () => {
    await call('POST', `${chat}/messages`, { content: 'What is 2 + 3?' });
    await rest();
  });
  await measure('context', () => call('GET', `${chat}/context`));
  await measure('branch', () => call('POST', `${at(last)}/branch`));
  await measure('search: a word in every message', search('message'));
  await measure('search: one letter', search('m'));
  await measure('search: a prefix of every message', search('mes'));
  await measure('search: two such', search('message what mes'));
  await measure('search: a word in no message', search('zebra'));
  await measure('search: CJK, found nowhere', search('東京'));
  await measure('export as JSON', () => call('GET', `${chat}/export?format=json`));
  await measure('export as Markdown', () => call('GET', `${chat}/export?format=markdown`));
  await measure('export of the workspace', () => call('GET', '/api/v1/export?format=json'));
  await measure('data', () => call('GET', '/api/v1/data'));
  await measure('delete an early message', () => call('DELETE', at(early ?? '')));
  await measure('restore it', () => call('POST', `${at(early ?? '')}/restore`));
  await measure('summarise', () => call('POST', `${chat}/compact`));
  await measure('context after that', () => call('GET', `${chat}/context`));
  await measure('delete an early message of the summary', () => call('DELETE', at(early ?? '')));
  await measure('restore it then', () => call('POST', `${at(early ?? '')}/restore`));
  await measure('edit an early message', async () => {
    await call('POST', `${at(early ?? '')}/edit`, { content: 'What is 3 + 4?' });
    await rest();
  });
  await measure('list the messages of another version', () => call('GET', `${chat}/messages`));
  await measure('choose the earlier version', () => call('POST', `${at(early ?? '')}/show`));
  await measure('list the messages, with versions', () => call('GET', `${chat}/messages`));
  await measure('retry an early message', async () => {
    await call('POST', `${chat}/retry`, { messageId: early });
    await rest();
  });
  await measure('choose the earlier version again', () => call('POST', `${at(early ?? '')}/show`));
  const other = (await call('POST', '/api/v1/workspaces', { name: 'Other' })) as {
    workspace: { id: string };
  };
  const elsewhere = { 'x-workspace-id': other.workspace.id };
  await measure('search in another, empty workspace: a prefix of every message of this one', () =>
    call('GET', '/api/v1/search?q=mes', undefined, elsewhere),
  );
  await measure('move to another workspace', () =>
    call('POST', `${chat}/move`, { toWorkspaceId: other.workspace.id }),
  );
  await measure('move back', () => call('POST', `${chat}/move`, { toWorkspaceId: workspaceId }));
  await measure('make a backup', () => call('POST', '/api/v1/backups'));
  await measure('delete the chat', () => call('DELETE', chat));
  await measure('restore the chat', () => call('POST', `${chat}/restore`));
  await measure('delete it for good', () => call('DELETE', `${chat}?permanent=true`));
  await server.stop(true);
  await rm(folder, { recursive: true, force: true });
  return stalls;
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<unknown>;

/** Calls a server, and returns what it answers: parsed if it is JSON and short. */
const createCalls =
  (server: RunningServer): Call =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(server.baseUrl + path, {
      method,
      headers: {
        ...server.headers,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text.startsWith('{') ? (JSON.parse(text) as unknown) : null;
  };

const messagesOf = async (call: Call, path: string): Promise<string[]> =>
  ((await call('GET', path)) as { messages: { id: string }[] }).messages.map(({ id }) => id);

const lastMessageOf = async (call: Call, chat: string): Promise<string> =>
  (await messagesOf(call, `${chat}/messages`)).at(-1) ?? '';
