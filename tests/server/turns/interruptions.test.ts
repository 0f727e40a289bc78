import { afterEach, describe, expect, test } from 'vitest';
import { createAnswer } from '../../../server/store/idempotency-repository.ts';
import { startProcessing, type Processing, type ProcessingOptions } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

let processing: Processing;
const start = async (options?: ProcessingOptions): Promise<string> => {
  processing = await startProcessing(options);
  return processing.createChat();
};
afterEach(async () => {
  expect(processing.life.errors).toEqual([]);
  await processing.remove();
});

const replies = (chatId: string): string[] =>
  processing
    .messages(chatId)
    .filter(({ role }) => role === 'assistant')
    .map(
      ({ status, stopReason, error, content }) => `${status} ${stopReason ?? error?.code ?? ''}: ${content}`,
    );

describe('stopping', () => {
  test('keeps what was written, ends what waits, and the next send is answered', async () => {
    const chatId = await start();
    await processing.send(chatId, 'one');
    await processing.send(chatId, 'two');
    await processing.send(chatId, 'three');
    const turn = await processing.life.runtime.turnOf(chatId);
    turn.stream('Half of', [{ id: 's1', tool: 'clock', status: 'running', input: {} }]);
    expect(await processing.life.processor.stop(chatId)).toMatchObject({ status: 'stopped' });
    expect(turn.ports.signal.aborted).toBe(true);
    expect(replies(chatId)).toEqual([
      'complete stopped: Half of',
      'complete stopped: ',
      'complete stopped: ',
    ]);
    const stored = processing.messages(chatId);
    const [asked, answered] = [0, 1].map((at) =>
      stored.filter(({ role }) => role === ['user', 'assistant'][at]),
    );
    expect(answered?.[0]?.steps[0]?.status).toBe('failed');
    expect(answered?.map(({ replyTo }) => replyTo)).toEqual(asked?.map(({ id }) => id));
    processing.life.runtime.onTurn = echo;
    await processing.send(chatId, 'four');
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
    expect(replies(chatId).at(-1)).toBe('complete end: Re: four');
    expect(replies(chatId)).toHaveLength(4);
  });

  test('needs no agent that heeds it, and drops what comes late', async () => {
    const chatId = await start();
    processing.life.runtime.heedsAborts = false;
    await processing.send(chatId, 'one');
    const turn = await processing.life.runtime.turnOf(chatId);
    await processing.life.processor.stop(chatId);
    turn.stream('late');
    turn.reply('late');
    processing.life.runtime.onTurn = echo;
    await processing.send(chatId, 'two');
    await processing.untilAtRest(chatId);
    expect(replies(chatId)).toEqual(['complete stopped: ', 'complete end: Re: two']);
  });

  test('in the moment a turn begins leaves no agent at work', async () => {
    const chatId = await start({
      wrap: (store) => ({
        ...store,
        write: async (work) => {
          const result = await store.write(work);
          await new Promise((resolve) => setTimeout(resolve, 30));
          return result;
        },
        get writable() {
          return store.writable;
        },
      }),
    });
    await processing.send(chatId, 'one');
    await processing.until(() => processing.chat(chatId).status === 'processing');
    await processing.life.processor.stop(chatId);
    processing.life.runtime.onTurn = echo;
    await processing.send(chatId, 'two');
    await processing.untilAtRest(chatId);
    expect(replies(chatId)).toEqual(['complete stopped: ', 'complete end: Re: two']);
    expect(processing.life.runtime.turns).toHaveLength(1);
  });

  test('does nothing to a chat at rest, and there is no chat to stop but a real one', async () => {
    const chatId = await start();
    expect(await processing.life.processor.stop(chatId)).toMatchObject({ status: 'idle' });
    expect(await processing.life.processor.stop('nobody')).toBeNull();
  });

  test('and sending at the same time leave no message unanswered', async () => {
    const chatId = await start({ onTurn: echo });
    for (let index = 0; index < 30; index += 1) {
      await Promise.all([
        processing.send(chatId, `m${index}`),
        processing.life.processor.stop(chatId),
        processing.send(chatId, `n${index}`),
      ]);
    }
    await processing.untilAtRest(chatId);
    expect(replies(chatId)).toHaveLength(60);
  });
});

describe('a clean stop', () => {
  test('gives the turn back, and it is done at the next start without counting as a try', async () => {
    const chatId = await start();
    await processing.send(chatId, 'one');
    for (let index = 0; index < 5; index += 1) {
      const turn = await processing.life.runtime.turnOf(chatId);
      expect(processing.chat(chatId).attempts).toBe(1);
      turn.stream(`part of try ${index}`);
      await processing.restart();
      expect(turn.ports.signal.aborted).toBe(true);
    }
    (await processing.life.runtime.turnOf(chatId)).reply('whole');
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
    expect(replies(chatId)).toEqual(['complete end: whole']);
  });

  test('waits for no agent that ignores it, and begins nothing that waits', async () => {
    const chatId = await start({ concurrency: 1 });
    const other = await processing.createChat();
    processing.life.runtime.heedsAborts = false;
    await processing.send(chatId, 'one');
    await processing.send(other, 'two');
    await processing.life.runtime.turnOf(chatId);
    const { runtime } = processing.life;
    await processing.restart();
    expect(runtime.turns).toHaveLength(1);
    processing.life.runtime.onTurn = echo;
    for (const turn of processing.life.runtime.running()) turn.reply('fine');
    for (const id of [chatId, other]) expect((await processing.untilAtRest(id)).status).toBe('idle');
  });

  test('keeps a finished reply when shutdown races completion', async () => {
    const chatId = await start();
    await processing.send(chatId, 'one');
    (await processing.life.runtime.turnOf(chatId)).reply('just in time');
    await Promise.resolve();
    await processing.restart();
    await processing.untilAtRest(chatId);
    expect(replies(chatId)).toEqual(['complete end: just in time']);
    expect(processing.life.runtime.turns).toHaveLength(0);
  });

  test('after which nothing is taken up', async () => {
    const chatId = await start({ onTurn: echo });
    await processing.life.processor.close();
    await processing.send(chatId, 'one');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(processing.chat(chatId).status).toBe('pending');
    await processing.restart();
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  });
});

describe('after a crash', () => {
  test('a half-written reply is written anew in the same message', async () => {
    const chatId = await start();
    await processing.send(chatId, 'one');
    await processing.send(chatId, 'two');
    (await processing.life.runtime.turnOf(chatId)).stream('Half of');
    await processing.until(() => processing.messages(chatId)[2]?.content === 'Half of');
    await processing.life.store.settled();
    const before = processing.messages(chatId);
    await processing.crash();
    const turn = await processing.life.runtime.turnOf(chatId);
    expect(turn.request.messages.map(({ content }) => content)).toEqual(['one']);
    expect(processing.messages(chatId)[2]).toMatchObject({
      id: before[2]?.id,
      content: '',
      status: 'pending',
    });
    turn.reply('Whole one');
    await processing.until(() => processing.life.runtime.turns.length === 2);
    (await processing.life.runtime.turnOf(chatId)).reply('Whole two');
    await processing.untilAtRest(chatId);
    expect(replies(chatId)).toEqual(['complete end: Whole one', 'complete end: Whole two']);
  });

  test('a turn under which the process died three times is given up, and the next goes on', async () => {
    const chatId = await start();
    await processing.send(chatId, 'deadly');
    await processing.send(chatId, 'harmless');
    for (let died = 1; died <= 3; died += 1) {
      await processing.life.runtime.turnOf(chatId);
      await processing.crash();
    }
    const turn = await processing.life.runtime.turnOf(chatId);
    expect(turn.request.messages.at(-1)?.content).toBe('harmless');
    turn.reply('fine');
    await processing.untilAtRest(chatId);
    expect(replies(chatId)).toEqual(['error interrupted: ', 'complete end: fine']);
  });

  test('the chat has failed when nothing else waits in it', async () => {
    const chatId = await start();
    await processing.send(chatId, 'deadly');
    for (let died = 1; died <= 3; died += 1) {
      await processing.life.runtime.turnOf(chatId);
      await processing.crash();
    }
    expect(processing.chat(chatId)).toMatchObject({ status: 'failed', attempts: 0 });
    expect(processing.life.runtime.turns).toHaveLength(0);
  });

  test('many chats are taken up in the order they were left', async () => {
    let time = Date.now();
    await start({ concurrency: 1, clock: () => new Date((time += 1)) });
    const chats: string[] = [];
    for (let index = 0; index < 250; index += 1) chats.push(await processing.createChat());
    for (const chatId of chats) await processing.send(chatId, chatId);
    const first = await processing.life.runtime.turnOf(chats[0] ?? '');
    first.stream('x');
    await processing.crash();
    processing.life.runtime.onTurn = echo;
    for (const turn of processing.life.runtime.running()) turn.reply();
    for (const chatId of chats) await processing.untilAtRest(chatId);
    const served = processing.life.runtime.turns.map(({ request }) => request.chatId);
    expect(served).toHaveLength(250);
    expect(served.filter((chatId) => chatId !== chats[0])).toEqual(chats.slice(1));
  });
});

describe('while the disk is full', () => {
  test('a finished reply is kept, and stored once when there is room again', async () => {
    const chatId = await start();
    await processing.send(chatId, 'one');
    const turn = await processing.life.runtime.turnOf(chatId);
    processing.life.disk.isFull = true;
    turn.reply('kept');
    await processing.until(() => !processing.life.store.writable, 'the disk to refuse');
    await expect(processing.send(chatId, 'two')).rejects.toMatchObject({ code: 'storage_full' });
    await processing.until(
      () => processing.chat(chatId).status === 'processing',
      'memory to be as the disk is',
    );
    expect(await processing.life.chats.find(chatId, null)).toMatchObject({ status: 'processing' });
    const { growth } = processing.life.processor.live.get(chatId) ?? {};
    expect(growth).toMatchObject({
      content: 'kept',
      waiting: expect.stringMatching(/^The reply has ended.*once the disk/) as string,
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(processing.chat(chatId).status).toBe('processing');
    processing.life.disk.isFull = false;
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
    expect(replies(chatId)).toEqual(['complete end: kept']);
    expect(processing.life.runtime.turns).toHaveLength(1);
  });

  test('a message that waits is taken when there is room again', async () => {
    const chatId = await start({ onTurn: echo });
    await processing.send(chatId, 'one');
    processing.life.disk.isFull = true;
    await processing.until(
      () => !processing.life.store.writable || processing.chat(chatId).status === 'idle',
    );
    processing.life.disk.isFull = false;
    await processing.untilAtRest(chatId);
    expect(replies(chatId)).toEqual(['complete end: Re: one']);
  });

  test('a stop ends the turn and what waits, and is stored when there is room again; what comes later is answered', async () => {
    const chatId = await start();
    await processing.send(chatId, 'one');
    const { life } = processing;
    const turn = await life.runtime.turnOf(chatId);
    turn.stream('half');
    await processing.send(chatId, 'two');
    life.disk.isFull = true;
    for (let times = 0; times < 2; times += 1) {
      await expect(life.processor.stop(chatId)).rejects.toMatchObject({
        code: 'storage_full',
        message: expect.stringMatching(/^The reply has ended/) as string,
      });
      expect(turn.isOver).toBe(true);
      expect(life.processor.live.get(chatId)?.growth).toMatchObject({
        content: 'half',
        waiting: expect.stringContaining('once the disk') as string,
      });
    }
    expect(processing.chat(chatId).status).toBe('pending');
    life.disk.isFull = false;
    await processing.until(() => life.store.writable);
    await processing.send(chatId, 'three');
    (await life.runtime.turnOf(chatId)).reply('whole');
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
    expect(replies(chatId)).toEqual(['complete stopped: half', 'complete stopped: ', 'complete end: whole']);
    expect(life.runtime.turns).toHaveLength(2);
  });

  test('a stop that is stored before the turn’s own end keeps all that was written', async () => {
    const chatId = await start();
    await processing.send(chatId, 'one');
    const { life } = processing;
    (await life.runtime.turnOf(chatId)).stream('half');
    life.disk.isFull = true;
    await expect(life.processor.stop(chatId)).rejects.toThrow('has ended');
    life.disk.isFull = false;
    await processing.until(() => life.store.writable);
    expect(await life.processor.stop(chatId)).toMatchObject({ status: 'stopped' });
    expect(replies(chatId)).toEqual(['complete stopped: half']);
  });

  test('little is tried', async () => {
    let writes = 0;
    const chatId = await start({
      wrap: (store) => ({
        ...store,
        write: (work) => {
          writes += 1;
          return store.write(work);
        },
        get writable() {
          return store.writable;
        },
      }),
    });
    const chats = [chatId];
    for (let index = 0; index < 40; index += 1) chats.push(await processing.createChat());
    for (const id of chats) await processing.send(id, 'hello');
    await processing.until(() => processing.life.runtime.running().length === 32);
    processing.life.disk.isFull = true;
    processing.life.runtime.onTurn = echo;
    for (const turn of processing.life.runtime.running()) turn.reply();
    await processing.until(() => !processing.life.store.writable);
    writes = 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(writes).toBeLessThan(500);
    processing.life.disk.isFull = false;
    for (const id of chats) await processing.untilAtRest(id);
    for (const id of chats) expect(replies(id)).toHaveLength(1);
  });
});

test('a fault of ours in one chat fails that chat alone', async () => {
  let broken = '';
  const chatId = await start({
    onTurn: echo,
    wrap: (store) => ({
      ...store,
      write: (work) =>
        store.write((writer) =>
          work({
            ...writer,
            run: (sql, params) => {
              if (sql.includes('stop_reason = ?') && params?.includes(`Re: ${broken}`) === true) {
                // A statement that SQLite refuses.
                createAnswer(writer, null as unknown as string, 'k', {
                  requestDigest: '',
                  response: '',
                  createdAt: '',
                });
              }
              return writer.run(sql, params);
            },
          }),
        ),
      get writable() {
        return store.writable;
      },
    }),
  });
  const other = await processing.createChat();
  broken = 'breaks';
  await processing.send(chatId, 'breaks');
  await processing.send(other, 'works');
  expect((await processing.untilAtRest(other)).status).toBe('idle');
  expect((await processing.untilAtRest(chatId)).status).toBe('failed');
  expect(processing.life.errors.splice(0).length).toBeGreaterThan(0);
  expect(processing.messages(chatId)[1]?.error?.code).toBe('model_failed');
});
