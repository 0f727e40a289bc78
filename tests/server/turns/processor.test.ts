import { afterEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../server/store/workspace-repository.ts';
import type { StoredMessage } from '../../../server/store/message-repository.ts';
import { startProcessing, type Processing, type ProcessingOptions } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

let processing: Processing;
const start = async (options?: ProcessingOptions): Promise<void> => {
  processing = await startProcessing(options);
};
afterEach(async () => {
  expect(processing.life.errors).toEqual([]);
  await processing.remove();
});

/** "user complete: hello", "assistant streaming: Hel". */
const reported = (messages: StoredMessage[]): string[] =>
  messages.map(({ role, status, content }) => `${role} ${status}: ${content}`);

describe('a turn', () => {
  test('goes from pending over processing to idle, and stores the reply with what it took', async () => {
    await start();
    const chatId = await processing.createChat();
    expect(await processing.send(chatId, 'hello')).toMatchObject({ id: chatId, status: 'pending' });
    const turn = await processing.life.runtime.turnOf(chatId);
    expect(processing.chat(chatId)).toMatchObject({ status: 'processing', attempts: 1 });
    expect(reported(processing.messages(chatId))).toEqual(['user complete: hello', 'assistant pending: ']);
    turn.reply('Hello!');
    expect(await processing.untilAtRest(chatId)).toMatchObject({
      status: 'idle',
      attempts: 0,
      lastProgressAt: null,
    });
    const [question, reply] = processing.messages(chatId);
    expect(reply).toMatchObject({
      status: 'complete',
      content: 'Hello!',
      stopReason: 'end',
      usage: { inputTokens: 1, outputTokens: 2 },
      replyTo: question?.id,
      model: 'offline-assistant',
    });
  });

  test('is begun only when the disk has it', async () => {
    await start();
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    await processing.life.runtime.turnOf(chatId);
    expect(processing.chat(chatId).attempts).toBe(1);
    await processing.crash();
    const again = await processing.life.runtime.turnOf(chatId);
    expect(processing.chat(chatId).attempts).toBe(2);
    again.reply('x');
    await processing.untilAtRest(chatId);
  });

  test('shows its text while it grows, with the progress it makes', async () => {
    await start();
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    const turn = await processing.life.runtime.turnOf(chatId);
    const before = processing.chat(chatId).lastProgressAt ?? '';
    turn.stream('Hel');
    turn.stream('lo', [{ id: 's1', tool: 'clock', status: 'running', input: {} }]);
    await processing.until(() => processing.messages(chatId)[1]?.status === 'streaming', 'text');
    expect(processing.messages(chatId)[1]).toMatchObject({
      content: 'Hello',
      steps: [{ id: 's1', status: 'running' }],
    });
    expect((processing.chat(chatId).lastProgressAt ?? '') > before).toBe(true);
    turn.stream(' there');
    await processing.until(() => processing.messages(chatId)[1]?.content === 'Hello there', 'more text');
    turn.reply();
    await processing.untilAtRest(chatId);
  });

  test('is said to wait for a person, or no more, once its messages say so', async () => {
    let isRefused = false;
    await start({
      wrap: (store) => ({
        ...store,
        write: (work) => (isRefused ? Promise.reject(new Error('no room')) : store.write(work)),
      }),
    });
    const { processor, runtime } = processing.life;
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    const turn = await runtime.turnOf(chatId);
    const steps = () => processing.messages(chatId)[1]?.steps ?? [];
    const saidWith: unknown[] = [];
    processor.onPendingApprovals((_id, waiting) =>
      saidWith.push([waiting.map(({ id }) => id), steps().map(({ status }) => status)]),
    );
    const step = { id: 's1', tool: 'send', input: {} } as const;
    const approval = { id: 'a1', expiresAt: '2099-01-01T00:00:00.000Z', canRemember: true };
    turn.stream('Hel');
    turn.stream('', [{ ...step, status: 'running' }]);
    await processing.until(() => steps().length > 0, 'the step');
    isRefused = true;
    turn.stream('', [{ ...step, status: 'awaiting_approval', approval }]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(processor.isAwaitingApproval(chatId)).toBe(false);
    isRefused = false;
    await processing.until(() => processor.isAwaitingApproval(chatId), 'the question');
    turn.stream('', [{ ...step, status: 'done', output: 1 }]);
    await processing.until(() => !processor.isAwaitingApproval(chatId), 'its end');
    expect(saidWith).toEqual([
      [['s1'], ['awaiting_approval']],
      [[], ['done']],
    ]);
    turn.reply();
    await processing.untilAtRest(chatId);
  });

  test('saves many small pieces a few times, not once each', async () => {
    let saves = 0;
    await start({
      wrap: (store) => ({
        ...store,
        write: (work) =>
          store.write((writer) =>
            work({
              ...writer,
              run: (sql, params) => {
                if (sql.startsWith('UPDATE messages SET content')) saves += 1;
                return writer.run(sql, params);
              },
            }),
          ),
        get writable() {
          return store.writable;
        },
      }),
    });
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    const turn = await processing.life.runtime.turnOf(chatId);
    for (let index = 0; index < 200; index += 1) {
      turn.stream('x');
      if (index % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await processing.until(() => processing.messages(chatId)[1]?.content === 'x'.repeat(200), 'the text');
    turn.reply();
    await processing.untilAtRest(chatId);
    expect(saves).toBeGreaterThan(0);
    expect(saves).toBeLessThan(10);
  });

  test('that fails keeps what was written and says why', async () => {
    await start();
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    const turn = await processing.life.runtime.turnOf(chatId);
    turn.stream('Hel', [{ id: 's1', tool: 'clock', status: 'running', input: {} }]);
    turn.fail('The model is not there.');
    expect((await processing.untilAtRest(chatId)).status).toBe('failed');
    expect(processing.messages(chatId)[1]).toMatchObject({
      status: 'error',
      content: 'Hel',
      error: { code: 'model_failed', message: 'The model is not there.' },
      steps: [{ status: 'failed' }],
    });
    processing.life.runtime.onTurn = echo;
    await processing.send(chatId, 'again');
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  });

  test('whose runtime rejects fails in plain words', async () => {
    await start({ onTurn: (turn) => turn.crash(new TypeError('x is undefined')) });
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    expect((await processing.untilAtRest(chatId)).status).toBe('failed');
    expect(processing.messages(chatId)[1]?.error?.code).toBe('model_failed');
    expect(processing.messages(chatId)[1]?.error?.message).not.toContain('undefined');
    expect(processing.life.errors.splice(0)).toEqual([new TypeError('x is undefined')]);
  });

  test('that gets nowhere times out, and what comes late is dropped', async () => {
    await start({ turnTimeoutMs: () => 80 });
    processing.life.runtime.heedsAborts = false;
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    const turn = await processing.life.runtime.turnOf(chatId);
    turn.stream('Hel');
    expect((await processing.untilAtRest(chatId)).status).toBe('failed');
    expect(turn.ports.signal.aborted).toBe(true);
    turn.stream('lo');
    turn.reply('Hello!');
    processing.life.runtime.onTurn = echo;
    await processing.send(chatId, 'again');
    await processing.untilAtRest(chatId);
    expect(reported(processing.messages(chatId))).toEqual([
      'user complete: hello',
      'assistant error: Hel',
      'user complete: again',
      'assistant complete: Re: again',
    ]);
    expect(processing.messages(chatId)[1]?.error?.code).toBe('timed_out');
  });

  test('times out by what is set when it begins', async () => {
    let timeoutMs = 60_000;
    await start({ turnTimeoutMs: () => timeoutMs });
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    (await processing.life.runtime.turnOf(chatId)).reply();
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
    timeoutMs = 80;
    await processing.send(chatId, 'again');
    await processing.life.runtime.turnOf(chatId);
    expect((await processing.untilAtRest(chatId)).status).toBe('failed');
  });

  test('that keeps making progress does not time out', async () => {
    await start({ turnTimeoutMs: () => 1_000 });
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    const turn = await processing.life.runtime.turnOf(chatId);
    for (let index = 0; index < 10; index += 1) {
      turn.stream('x');
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    turn.reply();
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  });
});

describe('the messages of one chat', () => {
  test('are answered one at a time, in order, with the conversation so far', async () => {
    await start();
    const chatId = await processing.createChat();
    await Promise.all(['one', 'two', 'three'].map((content) => processing.send(chatId, content)));
    for (const content of ['one', 'two', 'three']) {
      const turn = await processing.life.runtime.turnOf(chatId);
      expect(processing.life.runtime.running()).toHaveLength(1);
      expect(turn.request.messages.at(-1)?.content).toBe(content);
      turn.reply(`Re: ${content}`);
    }
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
    expect(processing.life.runtime.turns.at(-1)?.request.messages.map(({ content }) => content)).toEqual([
      'one',
      'Re: one',
      'two',
      'Re: two',
      'three',
    ]);
  });

  test('make the chat pending when one comes while another is worked on, and idle only after all', async () => {
    await start();
    const chatId = await processing.createChat();
    await processing.send(chatId, 'one');
    const first = await processing.life.runtime.turnOf(chatId);
    const answer = await processing.send(chatId, 'two');
    expect(answer).toMatchObject({ status: 'pending', queuePosition: 0 });
    expect(processing.chat(chatId).status).toBe('pending');
    const seen = new Set<string>();
    first.reply();
    await processing.until(() => {
      seen.add(processing.chat(chatId).status);
      return processing.life.runtime.turns.length === 2;
    });
    expect(seen.has('idle')).toBe(false);
    (await processing.life.runtime.turnOf(chatId)).reply();
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  });

  test('go on after one that failed; the chat fails only when the last does', async () => {
    await start();
    const chatId = await processing.createChat();
    await processing.send(chatId, 'one');
    await processing.send(chatId, 'two');
    (await processing.life.runtime.turnOf(chatId)).fail();
    await processing.until(() => processing.life.runtime.turns.length === 2);
    (await processing.life.runtime.turnOf(chatId)).reply('fine');
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
    expect(reported(processing.messages(chatId)).map((line) => line.split(':')[0])).toEqual([
      'user complete',
      'user complete',
      'assistant error',
      'assistant complete',
    ]);
  });

  test('hold up no other chat, however many they are', async () => {
    await start({ concurrency: 1, onTurn: echo });
    const [busy, other] = [await processing.createChat(), await processing.createChat()];
    await Promise.all(Array.from({ length: 50 }, (_, index) => processing.send(busy, `m${index}`)));
    await processing.send(other, 'quick');
    await processing.untilAtRest(other);
    expect(processing.messages(busy).filter(({ status }) => status === 'pending').length).toBeGreaterThan(20);
    await processing.untilAtRest(busy);
    const order = processing.life.runtime.turns.map(({ request }) => request.messages.at(-1)?.content);
    expect(order.filter((content) => content !== 'quick')).toEqual(
      Array.from({ length: 50 }, (_, index) => `m${index}`),
    );
  });
});

describe('different chats', () => {
  test('are worked on side by side, up to the limit, and know their place in line', async () => {
    await start({ concurrency: 2 });
    const chats: string[] = [];
    for (let index = 0; index < 5; index += 1) chats.push(await processing.createChat());
    for (const chatId of chats) await processing.send(chatId, 'hello');
    await processing.until(() => processing.life.runtime.running().length === 2);
    const places = (): (number | undefined)[] =>
      chats.map((chatId) => processing.life.processor.queuePosition(processing.chat(chatId)));
    expect(places()).toEqual([0, 0, 1, 2, 3]);
    await processing.life.processor.stop(chats[2] ?? '');
    expect(places().slice(3)).toEqual([1, 2]);
    processing.life.runtime.onTurn = echo;
    for (const turn of processing.life.runtime.running()) turn.reply();
    for (const chatId of chats) await processing.untilAtRest(chatId);
    expect(processing.life.runtime.turns).toHaveLength(4);
  });
});

describe('different workspaces', () => {
  const createOther = (): Promise<void> =>
    processing.life.store.write((writer) =>
      createWorkspace(writer, { id: 'other', name: 'Other', createdAt: '2026-01-02T03:04:05Z' }),
    );
  const positions = (chatIds: readonly string[]): number[] =>
    chatIds.map((chatId) => processing.life.processor.queuePosition(processing.chat(chatId)));
  const startedChats = (): string[] => processing.life.runtime.turns.map(({ request }) => request.chatId);

  test('take turns, so a message waits only for turns under way however many chats of another workspace wait', async () => {
    await start({ concurrency: 2 });
    await createOther();
    const many: string[] = [];
    for (let index = 0; index < 300; index += 1) many.push(await processing.createChat());
    await Promise.all(many.map((chatId) => processing.send(chatId, 'hello')));
    await processing.until(() => processing.life.runtime.running().length === 2);
    const others = [await processing.createChat('other'), await processing.createChat('other')];
    const [first = '', second = ''] = others;
    expect(await processing.send(first, 'hello')).toMatchObject({ queuePosition: 1 });
    expect(await processing.send(second, 'hello')).toMatchObject({ queuePosition: 3 });
    expect(positions(many.slice(0, 5))).toEqual([0, 0, 2, 4, 5]);
    processing.life.runtime.onTurn = echo;
    for (const turn of processing.life.runtime.running()) turn.reply();
    for (const chatId of [...many, ...others]) await processing.untilAtRest(chatId);
    expect(startedChats()).toEqual([...many.slice(0, 2), first, many[2], second, ...many.slice(3)]);
  });

  test('take turns also after a restart', async () => {
    await start({ concurrency: 1 });
    await createOther();
    const many: string[] = [];
    for (let index = 0; index < 20; index += 1) many.push(await processing.createChat());
    for (const chatId of many) await processing.send(chatId, 'hello');
    const other = await processing.createChat('other');
    await processing.send(other, 'hello');
    await processing.crash();
    await processing.until(() => processing.life.runtime.running().length === 1);
    expect(positions([other])).toEqual([1]);
    processing.life.runtime.onTurn = echo;
    for (const turn of processing.life.runtime.running()) turn.reply();
    for (const chatId of [...many, other]) await processing.untilAtRest(chatId);
    expect(startedChats().indexOf(other)).toBe(1);
  });
});

describe('the conversation that a model gets', () => {
  test('leaves out what was stopped before anything was written, and keeps what failed', async () => {
    await start();
    const chatId = await processing.createChat();
    await processing.send(chatId, 'stopped while it ran');
    (await processing.life.runtime.turnOf(chatId)).stream('half');
    await processing.send(chatId, 'stopped while it waited');
    await processing.life.processor.stop(chatId);
    await processing.send(chatId, 'failed');
    (await processing.life.runtime.turnOf(chatId)).fail();
    await processing.untilAtRest(chatId);
    await processing.send(chatId, 'now');
    const turn = await processing.life.runtime.turnOf(chatId);
    expect(turn.request.messages.map(({ content }) => content)).toEqual([
      'stopped while it ran',
      'half',
      'failed',
      'now',
    ]);
    turn.reply();
    await processing.untilAtRest(chatId);
  });

  test('has at most the last forty messages before the one to answer', async () => {
    await start({ onTurn: echo });
    const chatId = await processing.createChat();
    for (let index = 0; index < 11; index += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, at) => processing.send(chatId, `m${index}.${at}`)));
    }
    await processing.untilAtRest(chatId);
    const last = processing.life.runtime.turns.at(-1)?.request.messages ?? [];
    expect(last.length).toBeGreaterThan(30);
    expect(last.length).toBeLessThanOrEqual(41);
    expect(last[0]?.role).toBe('user');
    for (const [index, { role }] of last.entries()) expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
  });
});
