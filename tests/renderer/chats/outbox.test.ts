import { expect, test } from 'vitest';
import type { ApiClient } from '../../../renderer/api/client.ts';
import { ApiProblem, ConnectionProblem } from '../../../renderer/api/problem.ts';
import { ServiceConnection } from '../../../renderer/api/connection.svelte.ts';
import { Outbox } from '../../../renderer/chats/outbox.svelte.ts';
import { isWritingAtRisk } from '../../../renderer/lib/storage.ts';
import { words } from '../../../renderer/lib/words/index.ts';
import type { Chat } from '../../../shared/api/chat.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestStorage } from '../support/browser.ts';
import { aFile } from '../support/conversations.ts';

const storage = useTestStorage();

const chatOf = (id: string): Chat => ({
  id,
  title: '',
  status: 'idle',
  model: 'm',
  createdAt: '',
  updatedAt: '',
  workspaceId: 'w',
  agentType: 'a',
  pinned: false,
  archived: false,
});

/** The service: every call in words, and how the next of a kind fails. */
function createSendServer() {
  const calls: string[] = [];
  const failures: Partial<Record<'create' | 'update' | 'send', Error[]>> = {};
  const call = (kind: 'create' | 'update' | 'send', reported: string): void => {
    calls.push(`${kind} ${reported}`);
    const failure = failures[kind]?.shift();
    if (failure) throw failure;
  };
  const api = {
    createChat: async (body) => {
      call('create', JSON.stringify(body));
      return chatOf('c');
    },
    updateChat: async (chatId: string, body) => {
      call('update', `${chatId} ${JSON.stringify(body)}`);
      return chatOf(chatId);
    },
    sendMessage: async (chatId: string, { content, attachments }) => {
      call('send', `${chatId} ${content}${attachments ? ` ${JSON.stringify(attachments)}` : ''}`);
      return chatOf(chatId);
    },
  } satisfies Partial<ApiClient>;
  return { calls, failures, api };
}

function openPage({ api }: Pick<ReturnType<typeof createSendServer>, 'api'>) {
  const connection = new ServiceConnection();
  const outbox = new Outbox(api as unknown as ApiClient, connection, 'w', {
    created: () => undefined,
    taken: async () => undefined,
  });
  return { connection, outbox };
}

const opening = { agentType: 'poet', model: 'big' };

test('the message that opens a chat says who answers in it, and only that one', async () => {
  const server = createSendServer();
  const { outbox } = openPage(server);
  outbox.send('new-1', null, 'one', 'agent', opening);
  outbox.send('new-1', null, 'two', 'agent', opening);
  await eventually(() => expect(outbox.items).toEqual([]));
  expect(server.calls).toEqual([
    'create {"agentType":"poet"}',
    'update c {"model":"big"}',
    'send c one',
    'send c two',
  ]);
});

test('a chat that exists keeps its agent and model', async () => {
  const server = createSendServer();
  const { outbox } = openPage(server);
  outbox.send('c', 'c', 'one', 'agent', opening);
  await eventually(() => expect(outbox.items).toEqual([]));
  expect(server.calls).toEqual(['send c one']);
});

test('a connection lost after the chat was made does not make another, and the model is still set', async () => {
  const server = createSendServer();
  server.failures.update = [new ConnectionProblem('Lost.')];
  const { outbox } = openPage(server);
  outbox.send('new-1', null, 'one', 'agent', opening);
  await eventually(() => expect(outbox.items).toEqual([]));
  expect(server.calls).toEqual([
    'create {"agentType":"poet"}',
    'update c {"model":"big"}',
    'update c {"model":"big"}',
    'send c one',
  ]);
});

test('a page that comes after takes up what was left, with its agent and model', async () => {
  const away = createSendServer();
  away.failures.create = [new ConnectionProblem('Away.')];
  const first = openPage(away);
  first.connection.lost();
  first.outbox.send('new-1', null, 'one', 'agent', opening);
  await eventually(() => expect(first.outbox.items[0]?.state).toBe('waiting'));
  first.outbox.close();

  const server = createSendServer();
  const second = openPage(server);
  await second.outbox.resume();
  await eventually(() => expect(second.outbox.items).toEqual([]));
  expect(server.calls).toEqual(['create {"agentType":"poet"}', 'update c {"model":"big"}', 'send c one']);
});

test.each([
  ['projectId', 'create', ['create {"agentType":"poet"}', 'update c {"model":"big"}', 'send c one']],
  ['model', 'update', ['send c one']],
] as const)(
  'a first message whose %s is gone says so, and another try does without it',
  async (name, call, then) => {
    const server = createSendServer();
    const gone = [{ path: `/${name}`, message: 'It must be one.' }];
    server.failures[call] = [new ApiProblem(400, 'invalid_request', 'It must be one.', gone)];
    const { outbox } = openPage(server);
    outbox.send('new-1', null, 'one', 'agent', { ...opening, projectId: 'p' });
    await eventually(() => expect(outbox.items[0]?.state).toBe('refused'));
    expect(outbox.items[0]?.reason).toBe(words.message.openingGone[name]);
    server.calls.length = 0;
    outbox.retry(outbox.items[0]?.id ?? '');
    await eventually(() => expect(outbox.items).toEqual([]));
    expect(server.calls).toEqual(then);
  },
);

test('a message to a deleted chat says why in words that stay true once the chat is restored', async () => {
  const server = createSendServer();
  const { outbox } = openPage(server);
  server.failures.send = [new ApiProblem(404, 'chat_not_found', 'No such chat.')];
  outbox.send('c', 'c', 'one', 'agent');
  await eventually(() => expect(outbox.items[0]?.reason).toBe(words.message.chatWasDeleted));
});

test('a refused message keeps its text and files until it is taken back', async () => {
  const server = createSendServer();
  server.failures.send = [new ApiProblem(507, 'storage_full', 'Full.')];
  const { outbox } = openPage(server);
  outbox.send('c', 'c', 'one', 'agent', {}, [aFile('a')]);
  await eventually(() => expect(outbox.items[0]?.state).toBe('refused'));
  const id = outbox.items[0]?.id ?? '';
  expect(storage.read(`outbox.${id}`)).toContain('one');
  expect(outbox.withdraw(id)).toEqual({ text: 'one', files: [aFile('a')] });
  expect(storage.read(`outbox.${id}`)).toBeNull();
  expect(server.calls).toHaveLength(1);
});

test('a message that the full storage does not hold is at risk until the service has it', async () => {
  const server = createSendServer();
  const { outbox } = openPage(server);
  storage.fill();
  outbox.send('c', 'c', 'one', 'agent');
  expect(isWritingAtRisk()).toBe(true);
  await eventually(() => expect(outbox.items).toEqual([]));
  expect(isWritingAtRisk()).toBe(false);
});

test('a page may look for what was left again and again: nothing is sent or shown twice', async () => {
  const away = createSendServer();
  away.failures.create = [new ConnectionProblem('Away.')];
  const first = openPage(away);
  first.connection.lost();
  first.outbox.send('new-1', null, 'one', 'agent');
  await eventually(() => expect(first.outbox.items[0]?.state).toBe('waiting'));
  first.outbox.close();

  const server = createSendServer();
  const { outbox } = openPage(server);
  await Promise.all([outbox.resume(), outbox.resume(), outbox.resume()]);
  await eventually(() => expect(outbox.items).toEqual([]));
  await outbox.resume();
  expect(outbox.items).toEqual([]);
  expect(server.calls).toEqual(['create {}', 'send c one']);
});

test('a message has left this tab’s hands once the service has it', async () => {
  const { outbox } = openPage(createSendServer());
  outbox.send('c', 'c', 'one', 'agent');
  const { id } = outbox.items[0] ?? { id: '' };
  const isHeld = async (): Promise<boolean> =>
    (await navigator.locks.query()).held?.some(({ name }) => name === `parley.outbox.${id}`) === true;
  await eventually(async () => expect(await isHeld()).toBe(true));
  await eventually(() => expect(outbox.items).toEqual([]));
  await eventually(async () => expect(await isHeld()).toBe(false));
});

test('a message that the service has stays in view until it is shown elsewhere, and isn’t called unsent', async () => {
  const connection = new ServiceConnection();
  const shown = Promise.withResolvers<undefined>();
  const outbox = new Outbox(createSendServer().api as unknown as ApiClient, connection, 'w', {
    created: () => undefined,
    taken: () => shown.promise,
  });
  outbox.send('c', 'c', 'one', 'agent');
  await eventually(() => expect(outbox.items[0]?.state).toBe('taken'));
  expect(outbox.isUnsettled('c')).toBe(true);
  shown.resolve(undefined);
  await eventually(() => expect(outbox.items).toEqual([]));
});

test('a workspace that is opened again while its message is on the way does not send it a second time', async () => {
  const server = createSendServer();
  const made = Promise.withResolvers<undefined>();
  const slow = {
    ...server.api,
    createChat: async (body: { agentType?: string } = {}) => {
      await made.promise;
      return server.api.createChat(body);
    },
  };
  const left = openPage({ api: slow });
  left.outbox.send('new-1', null, 'one', 'agent');
  left.outbox.close();
  const { outbox } = openPage(server);
  await outbox.resume();
  expect(outbox.items).toEqual([]);
  made.resolve(undefined);
  await eventually(() => expect(left.outbox.items).toEqual([]));
  await outbox.resume();
  expect(server.calls).toEqual(['create {}', 'send c one']);
});

test('files go along by their ids, also when the page that sent them is gone before the service is back', async () => {
  const away = createSendServer();
  away.failures.send = [new ConnectionProblem('Away.')];
  const first = openPage(away);
  first.connection.lost();
  first.outbox.send('c', 'c', '', 'agent', {}, [aFile('a'), aFile('b')]);
  await eventually(() => expect(first.outbox.items[0]?.state).toBe('waiting'));
  first.outbox.close();

  const server = createSendServer();
  const second = openPage(server);
  await second.outbox.resume();
  await eventually(() => expect(second.outbox.items).toEqual([]));
  expect(server.calls).toEqual(['send c  [{"fileId":"a"},{"fileId":"b"}]']);
});
