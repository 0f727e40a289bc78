import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem, ConnectionProblem } from '../../../renderer/api/problem.ts';
import { words } from '../../../renderer/lib/words/index.ts';
import { ServiceConnection } from '../../../renderer/api/connection.svelte.ts';
import type { Conversation } from '../../../renderer/chats/conversation.svelte.ts';
import type { MessagePorts } from '../../../renderer/chats/message-attempts.svelte.ts';
import { MessageActions } from '../../../renderer/chats/message-actions.svelte.ts';
import { Toasts } from '../../../renderer/ui/toasts.svelte.ts';
import { isWritingAtRisk } from '../../../renderer/lib/storage.ts';
import type { Chat } from '../../../shared/api/chat.ts';
import type { Message } from '../../../shared/api/message.ts';
import { useTestStorage } from '../support/browser.ts';
import { aFile } from '../support/conversations.ts';

const storage = useTestStorage();
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const A_WHILE_MS = 6_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const QUESTION: Message = {
  id: 'q',
  role: 'user',
  content: 'one',
  status: 'complete',
  createdAt: '2026-11-20T12:00:00.000Z',
};
const REPLY: Message = { ...QUESTION, id: 'r', role: 'assistant', content: 'Re: one', replyTo: 'q' };
const WAITING: Message = { ...QUESTION, id: 'w', content: 'later', status: 'pending' };
const ask = (after: () => Promise<unknown>): Promise<unknown> =>
  Promise.all([after(), vi.advanceTimersByTimeAsync(A_WHILE_MS)]);

/** A window with one conversation, over a service that does as it is told. */
function openWindow({ working = false } = {}) {
  const connection = new ServiceConnection();
  const toasts = new Toasts();
  const calls: string[] = [];
  /** What each call comes to, in order; well when there is nothing left. */
  const outcomes: (Error | null)[] = [];
  const keys: string[] = [];
  const conversation = {
    chatId: 'c',
    draftKey: 'c',
    working,
    messages: [QUESTION, REPLY],
    note: () => undefined,
    onSent: () => undefined,
    stop: async () => {
      await call('stop');
      conversation.working = false;
    },
  };
  async function call(name: string): Promise<Chat> {
    calls.push(name);
    const outcome = outcomes.shift() ?? null;
    if (outcome instanceof ConnectionProblem) connection.lost();
    if (outcome !== null) throw outcome;
    return { id: 'c' } as Chat;
  }
  /** The service has answered, and what is listed changes with it. */
  const list = (chat: Chat, ...messages: Message[]): Chat => {
    conversation.messages = messages;
    return chat;
  };
  const api: MessagePorts['api'] = {
    editMessage: async (_chatId, id, { content, attachments }, key) => {
      keys.push(key);
      const files = attachments ? ` ${JSON.stringify(attachments)}` : '';
      return list(await call(`edit ${id}: ${content}${files}`), { ...QUESTION, id: 'q2', content });
    },
    retryReply: async (_chatId, { messageId: id }, key) => {
      keys.push(key);
      return list(await call(`retry ${id}`), { ...QUESTION, id: 'q2' });
    },
    continueReply: async (_chatId, id, key) => {
      keys.push(key);
      const chat = await call(`continue ${id}`);
      return list(chat, QUESTION, REPLY, { ...QUESTION, id: 'q2' });
    },
    branchChat: async (_chatId, id, key) => {
      keys.push(key);
      return { ...(await call(`branch ${id}`)), id: 'new' };
    },
    showMessage: async (_chatId, id) => list(await call(`show ${id}`), { ...QUESTION, id }),
    deleteMessage: async (_chatId, id, ifWaiting) =>
      list(await call(`delete ${id}${ifWaiting ? ' if it waits' : ''}`), QUESTION),
    changeMessage: async (_chatId, id, { content = '' }, key) => {
      keys.push(key);
      return list(await call(`change ${id}: ${content}`), { ...WAITING, content });
    },
    moveMessage: async (_chatId, id, before) => call(`move ${id} before ${before ?? 'nothing'}`),
    sendMessageNow: async (_chatId, id) => call(`send ${id} now`),
    restoreMessage: async (_chatId, id) => list(await call(`restore ${id}`), QUESTION, REPLY),
  };
  const opened: string[] = [];
  const drafts: [string, string][] = [];
  /** The one that is open. */
  const shown: { conversation: { chatId: string | null } } = { conversation };
  const open = (): MessageActions =>
    new MessageActions({
      api,
      connection,
      toasts,
      conversation: () => shown.conversation as unknown as Conversation,
      onBranch: ({ id }) => opened.push(id),
      toDraft: (key, { text }) => drafts.push([key, text]),
      onDone: () => undefined,
    });
  const said = (): string[] => toasts.items.map(({ text }) => text);
  return {
    actions: open(),
    open,
    connection,
    toasts,
    conversation,
    shown,
    calls,
    outcomes,
    keys,
    opened,
    drafts,
    said,
  };
}

const write = (actions: MessageActions, text: string): void => {
  actions.startEdit(QUESTION);
  actions.changeEdit('q', { text });
};

describe('a branch', () => {
  test('is opened once it is made, by one key however often it is asked for', async () => {
    const { actions, calls, outcomes, keys, opened, connection } = openWindow();
    outcomes.push(new ConnectionProblem('Away.'));
    const branching = actions.branch(REPLY);
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    expect(actions.isBusy('r')).toBe(true);
    connection.reached();
    await ask(() => branching);
    expect(calls).toEqual(['branch r', 'branch r']);
    expect(new Set(keys).size).toBe(1);
    expect(opened).toEqual(['new']);
  });

  test('that is refused says why, and opens nothing', async () => {
    const { actions, outcomes, opened, said } = openWindow();
    outcomes.push(new ApiProblem(409, 'chat_busy', 'Busy.'));
    await ask(() => actions.branch(REPLY));
    expect(opened).toEqual([]);
    expect(said()).toEqual([words.message.notBranched(words.apiErrors.chat_busy)]);
  });
});

describe('an edit', () => {
  test('is sent, and closed once the conversation shows it', async () => {
    const { actions, calls } = openWindow();
    write(actions, 'two');
    await ask(() => actions.sendEdit(QUESTION));
    expect(calls).toEqual(['edit q: two']);
    expect(actions.editOf(QUESTION)).toBeUndefined();
    expect(storage.read('edit.q')).toBeNull();
  });

  test('is still open in the next page when this one is left', () => {
    const { actions, open } = openWindow();
    write(actions, 'two');
    expect(open().editOf(QUESTION)).toMatchObject({ text: 'two', state: 'writing' });
    vi.setSystemTime(Date.now() + 31 * DAY_MS);
    expect(open().editOf(QUESTION)).toBeUndefined();
  });

  test('is sent with one key until it is another text, also by the next page', async () => {
    const { actions, open, outcomes, keys, connection } = openWindow();
    write(actions, 'two');
    outcomes.push(new ConnectionProblem('Away.'));
    const sending = actions.sendEdit(QUESTION);
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    expect(actions.editOf(QUESTION)?.state).toBe('waiting');
    const next = open();
    connection.reached();
    await ask(() => sending);
    await ask(() => next.sendEdit(QUESTION));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    write(next, 'three');
    await ask(() => next.sendEdit(QUESTION));
    expect(new Set(keys).size).toBe(2);
  });

  test('begins with the message’s files, and says which it shall have then', async () => {
    const { actions, calls } = openWindow();
    const question = { ...QUESTION, attachments: [aFile('a'), aFile('b')] };
    actions.startEdit(question);
    actions.changeEdit('q', { files: [aFile('b')] });
    actions.addFile('q', aFile('c'));
    await ask(() => actions.sendEdit(question));
    expect(calls).toEqual(['edit q: one [{"fileId":"b"},{"fileId":"c"}]']);
  });

  test('of the text alone leaves the files as they are', async () => {
    const { actions, calls } = openWindow();
    const question = { ...QUESTION, attachments: [aFile('a')] };
    actions.startEdit(question);
    actions.changeEdit('q', { text: 'two' });
    await ask(() => actions.sendEdit(question));
    expect(calls).toEqual(['edit q: two']);
  });

  test('whose files alone were changed can be had back with them, also by the next page', () => {
    const { actions, open, toasts, said } = openWindow();
    const question = { ...QUESTION, attachments: [aFile('a')] };
    actions.startEdit(question);
    actions.changeEdit('q', { files: [] });
    expect(open().editOf(question)?.files).toEqual([]);
    actions.addFile('q', aFile('c'));
    actions.cancelEdit(question);
    expect(said()).toEqual([words.message.editDiscarded]);
    void toasts.items[0]?.action?.run();
    expect(open().editOf(question)?.files).toEqual([aFile('c')]);
  });

  test('that waits for the connection can be withdrawn', async () => {
    const { actions, outcomes, calls, connection } = openWindow();
    write(actions, 'two');
    outcomes.push(new ConnectionProblem('Away.'));
    const sending = actions.sendEdit(QUESTION);
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    actions.cancelEdit(QUESTION);
    connection.reached();
    await ask(() => sending);
    expect(calls).toHaveLength(1);
  });

  test('stays open, with the reason, when the service refuses it', async () => {
    const { actions, outcomes } = openWindow();
    write(actions, 'two');
    outcomes.push(new ApiProblem(409, 'chat_busy', 'Busy.'));
    await ask(() => actions.sendEdit(QUESTION));
    expect(actions.editOf(QUESTION)).toMatchObject({
      text: 'two',
      state: 'writing',
      problem: words.apiErrors.chat_busy,
    });
  });

  test('can be had back after it was cancelled, and is not spoken of when nothing was changed', () => {
    const { actions, toasts, said } = openWindow();
    actions.startEdit(QUESTION);
    actions.cancelEdit(QUESTION);
    expect(said()).toEqual([]);
    write(actions, 'two');
    actions.cancelEdit(QUESTION);
    expect(actions.editOf(QUESTION)).toBeUndefined();
    expect(said()).toEqual([words.message.editDiscarded]);
    void toasts.items[0]?.action?.run();
    expect(actions.editOf(QUESTION)?.text).toBe('two');
  });
});

describe('an edit whose box was removed', () => {
  const remove = (window: ReturnType<typeof openWindow>): void =>
    window.actions.noteRemoved(QUESTION, window.conversation as unknown as Conversation);

  test('is spoken of when its message has gone, and can be kept as a draft', () => {
    const window = openWindow();
    write(window.actions, 'two');
    window.conversation.messages = [];
    remove(window);
    expect(window.said()).toEqual([words.message.editedGone]);
    for (let times = 0; times < 2; times += 1) void window.toasts.items[0]?.action?.run();
    expect(window.drafts).toEqual([['c', 'two']]);
    expect(window.open().editOf(QUESTION)).toBeUndefined();
  });

  test('is spoken of once, however often its message goes', () => {
    const window = openWindow();
    write(window.actions, 'two');
    window.conversation.messages = [];
    remove(window);
    window.conversation.messages = [QUESTION];
    window.conversation.messages = [];
    remove(window);
    expect(window.said()).toEqual([words.message.editedGone]);
    void window.toasts.items[0]?.action?.run();
    expect(window.drafts).toEqual([['c', 'two']]);
  });

  test.each<[string, (window: ReturnType<typeof openWindow>) => unknown]>([
    ['is only out of view', () => undefined],
    ['is of another chat than the open one', ({ shown }) => (shown.conversation = { chatId: 'd' })],
    [
      'says what the message said',
      ({ actions, conversation }) => {
        actions.changeEdit('q', { text: 'one' });
        conversation.messages = [];
      },
    ],
    [
      'was sent',
      ({ actions, conversation }) => {
        void actions.sendEdit(QUESTION);
        conversation.messages = [];
      },
    ],
  ])('is not spoken of when it %s', (_, happen) => {
    const window = openWindow();
    write(window.actions, 'two');
    happen(window);
    remove(window);
    expect(window.said()).toEqual([]);
  });
});

describe('a reply under way', () => {
  test('is stopped before an edit or a retry, and only once', async () => {
    const { actions, calls, outcomes, connection } = openWindow({ working: true });
    outcomes.push(null, new ConnectionProblem('Away.'));
    const retrying = actions.retry(REPLY);
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    connection.reached();
    await ask(() => retrying);
    expect(calls).toEqual(['stop', 'retry r', 'retry r']);
  });

  test('keeps messages from being deleted, and so does a lost connection', () => {
    const { actions, conversation, connection } = openWindow({ working: true });
    expect(actions.blocked).toBe(words.message.busy);
    conversation.working = false;
    expect(actions.blocked).toBeNull();
    connection.lost();
    expect(actions.blocked).toBe(words.message.offline);
  });
});

describe('deleting', () => {
  test('can be undone', async () => {
    const { actions, calls, toasts, said } = openWindow();
    await ask(() => actions.delete(REPLY));
    expect(said()).toEqual([words.message.replyDeleted]);
    await ask(async () => toasts.items[0]?.action?.run());
    expect(calls).toEqual(['delete r', 'restore r']);
  });

  test('says why when it fails, and can be tried again', async () => {
    const { actions, calls, outcomes, said } = openWindow();
    outcomes.push(new ApiProblem(409, 'chat_busy', 'Busy.'));
    await ask(() => actions.delete(REPLY));
    expect(said()).toEqual([words.message.notDeleted(words.apiErrors.chat_busy)]);
    await ask(() => actions.delete(REPLY));
    expect(calls).toEqual(['delete r', 'delete r']);
  });
});

test('the focus goes to the same button of the version that is shown', async () => {
  const { actions } = openWindow();
  await ask(() => actions.show(QUESTION, 'q0', 'reply-earlier'));
  expect(actions.takeFocus('q', ['reply-earlier', 'reply-later'])).toBeNull();
  expect(actions.takeFocus('q0', ['reply-earlier', 'reply-later'])).toBe('reply-earlier');
  expect(actions.takeFocus('q0', ['reply-earlier', 'reply-later'])).toBeNull();
});

test('an edit that the full storage does not hold is at risk until it is sent or closed', async () => {
  const { actions } = openWindow();
  actions.startEdit(QUESTION);
  expect(isWritingAtRisk()).toBe(false);
  storage.fill();
  actions.changeEdit('q', { text: 'two' });
  expect(isWritingAtRisk()).toBe(true);
  await ask(() => actions.sendEdit(QUESTION));
  expect(isWritingAtRisk()).toBe(false);
});

test('a reply that was cut off is gone on with once, however often that is asked for', async () => {
  const { actions, calls, outcomes, keys, connection } = openWindow();
  outcomes.push(new ConnectionProblem('Away.'));
  const going = actions.continue(REPLY);
  await vi.advanceTimersByTimeAsync(A_WHILE_MS);
  connection.reached();
  await ask(() => going);
  expect(calls).toEqual(['continue r', 'continue r']);
  expect(new Set(keys).size).toBe(1);
});

describe('messages that wait', () => {
  /** Three wait behind a reply under way. */
  function openQueue() {
    const opened = openWindow({ working: true });
    const others = ['x', 'y'].map((id) => ({ ...WAITING, id }));
    opened.conversation.messages = [QUESTION, REPLY, WAITING, ...others];
    return { ...opened, others };
  }

  test('are changed at their place, with a key of the change, and stop nothing', async () => {
    const { actions, calls, outcomes, connection, keys } = openQueue();
    actions.startEdit(WAITING);
    actions.changeEdit('w', { text: 'better' });
    outcomes.push(new ConnectionProblem('Away.'));
    const sending = actions.sendEdit(WAITING);
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    expect(actions.editOf(WAITING)?.state).toBe('waiting');
    connection.reached();
    await ask(() => sending);
    expect(calls).toEqual(['change w: better', 'change w: better']);
    expect(new Set(keys).size).toBe(1);
    expect(actions.editOf(WAITING)).toBeUndefined();
  });

  test('that were taken meanwhile keep the edit open and say why', async () => {
    const { actions, outcomes } = openQueue();
    actions.startEdit(WAITING);
    actions.changeEdit('w', { text: 'better' });
    outcomes.push(new ApiProblem(409, 'message_taken', 'Taken.'));
    await ask(() => actions.sendEdit(WAITING));
    expect(actions.editOf(WAITING)).toMatchObject({
      text: 'better',
      state: 'writing',
      problem: words.apiErrors.message_taken,
    });
  });

  test('wait for the reply under way, or for the message before them; the next one waits for no reply', () => {
    const { actions, conversation } = openWindow();
    const [taken, queued] = [{ ...QUESTION, id: 'taken' }, WAITING];
    const last = { ...WAITING, id: 'last' };
    const answering: Message = { ...REPLY, id: 'r2', status: 'streaming' };
    const behind = (...messages: Message[]): boolean[] => {
      conversation.messages = messages;
      const each = [queued, last].filter((message) => messages.includes(message));
      expect(actions.waiting.behind).toBe(each.filter((message) => actions.waiting.isBehind(message)).length);
      return each.map((message) => actions.waiting.isBehind(message));
    };
    expect(behind(QUESTION, REPLY, taken, answering, queued, last)).toEqual([true, true]);
    expect(behind(taken, queued)).toEqual([true]);
    expect(behind(queued)).toEqual([false]);
    expect(behind(QUESTION, REPLY, queued, last)).toEqual([false, true]);
    expect(behind(QUESTION, answering)).toEqual([]);
    expect(behind()).toEqual([]);
  });

  test('move by one place, and no further than the ends', async () => {
    const { actions, calls, others } = openQueue();
    const [x, y] = others;
    if (x === undefined || y === undefined) throw new Error('unreachable');
    await ask(() => actions.waiting.move(WAITING, 1));
    await ask(() => actions.waiting.move(x, 1));
    await ask(() => actions.waiting.move(y, -1));
    await ask(() => actions.waiting.move(WAITING, -1));
    await ask(() => actions.waiting.move(y, 1));
    expect(calls).toEqual(['move w before y', 'move x before nothing', 'move y before x']);
  });

  test('are removed only while they wait, with an Undo; and one is sent now', async () => {
    const { actions, calls, outcomes, said, toasts, others } = openQueue();
    await ask(() => actions.delete(WAITING));
    expect(said()).toEqual([words.waiting.removed]);
    await ask(async () => toasts.items[0]?.action?.run());
    outcomes.push(new ApiProblem(409, 'message_taken', 'Taken.'));
    await ask(() => actions.waiting.sendNow(others[0] ?? WAITING));
    expect(calls).toEqual(['delete w if it waits', 'restore w', 'send x now']);
    expect(said().at(-1)).toBe(words.waiting.notSent(words.apiErrors.message_taken));
  });

  test.each(['another', null])('come back to their chat by Undo while %s is open', async (chatId) => {
    const { actions, calls, toasts, shown, said } = openQueue();
    await ask(() => actions.delete(WAITING));
    shown.conversation = { chatId };
    await ask(async () => toasts.items[0]?.action?.run());
    expect(calls).toEqual(['delete w if it waits', 'restore w']);
    expect(said()).toEqual([]);
  });
});
