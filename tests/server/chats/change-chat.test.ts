import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChatChanges, type ChatChanges } from '../../../server/chats/change-chat.ts';
import { AppError } from '../../../server/errors.ts';
import { createEraser } from '../../../server/chats/eraser.ts';
import { createPurge } from '../../../server/chats/purge.ts';
import { NO_FILES } from '../../support/store.ts';
import { findChat, listUnsettledChats } from '../../../server/store/chat-repository.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

let processing: Processing;

beforeEach(async () => {
  processing = await startProcessing();
});
afterEach(async () => {
  expect(processing.life.errors).toEqual([]);
  await processing.remove();
});

/** Changing chats in the present life. */
function changes(): ChatChanges {
  const { store, processor } = processing.life;
  const clock = (): Date => new Date();
  const purge = createPurge({
    store,
    eraser: createEraser({ store, files: NO_FILES, clock }),
    files: NO_FILES,
    clock,
    log: () => undefined,
  });
  return createChatChanges({ store, processor, purge, clock });
}
const target = (chatId: string) => ({ chatId, workspaceId: WORKSPACE });
const isThere = (chatId: string): boolean =>
  processing.life.store.read((reader) => findChat(reader, chatId)) !== null;
const unsettled = (): number => processing.life.store.read(listUnsettledChats).length;

describe('a chat that was deleted', () => {
  test.each(['remove', 'erase'] as const)(
    'stays so when the process is killed right after the answer to %s, and nothing of it goes on',
    async (how) => {
      const chatId = await processing.createChat();
      await processing.send(chatId, 'one');
      await processing.send(chatId, 'two');
      await processing.until(() => processing.life.runtime.turns.length > 0, 'the turn to begin');
      const removed =
        how === 'remove'
          ? await changes().remove(target(chatId))
          : (await changes().erase(target(chatId)))?.chat;
      expect(removed).toMatchObject({ id: chatId, status: 'stopped' });
      await processing.crash();
      expect(isThere(chatId)).toBe(false);
      expect(unsettled()).toBe(0);
      expect(processing.life.runtime.turns).toEqual([]);
      const restored = await changes().restore(target(chatId));
      if (how === 'erase') expect(restored).toBeNull();
      else expect(restored).toMatchObject({ status: 'stopped' });
    },
  );

  test('is not written to by the turn that was under way', async () => {
    const chatId = await processing.createChat();
    await processing.send(chatId, 'one');
    await processing.until(() => processing.life.runtime.turns.length > 0, 'the turn to begin');
    const [turn] = processing.life.runtime.turns;
    turn?.stream('half', []);
    await changes().remove(target(chatId));
    turn?.stream(' and half', []);
    const restored = await changes().restore(target(chatId));
    expect(restored?.status).toBe('stopped');
    const [, reply] = processing.messages(chatId);
    expect(reply).toMatchObject({ content: 'half', status: 'complete', stopReason: 'stopped' });
    processing.life.runtime.onTurn = echo;
    await processing.send(chatId, 'two');
    await processing.untilAtRest(chatId);
    expect(processing.messages(chatId).at(-1)?.content).toBe('Re: two');
  });

  test('whose removal the disk refuses is there as before', async () => {
    processing.life.runtime.onTurn = echo;
    const chatId = await processing.createChat();
    processing.life.disk.isFull = true;
    await expect(changes().remove(target(chatId))).rejects.toMatchObject({ code: 'storage_full' });
    processing.life.disk.isFull = false;
    expect(isThere(chatId)).toBe(true);
    await processing.until(() => processing.life.store.writable, 'the store to be written to');
    await processing.send(chatId, 'hello');
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  });

  test('in the middle of being erased can be erased again, and not restored', async () => {
    const chatId = await processing.createChat();
    const { store, processor } = processing.life;
    const purge = { sweep: () => Promise.reject(new Error('killed')) };
    const failing = createChatChanges({ store, processor, purge, clock: () => new Date() });
    expect(await failing.erase(target(chatId))).toMatchObject({ chat: { id: chatId }, isErased: false });
    expect(await changes().restore(target(chatId))).toBeNull();
    expect(await changes().erase(target(chatId))).toMatchObject({ chat: { id: chatId }, isErased: true });
    expect(await changes().erase(target(chatId))).toBeNull();
  });

  test('whose erasing finds no room for a new snapshot is told as accepted, and leaves the files later', async () => {
    const chatId = await processing.createChat();
    const { store, processor } = processing.life;
    const purge = {
      sweep: () => store.compact().then(() => Promise.reject(new AppError('storage_full'))),
    };
    const narrow = createChatChanges({ store, processor, purge, clock: () => new Date() });
    expect(await narrow.erase(target(chatId))).toMatchObject({ chat: { id: chatId }, isErased: false });
    expect(isThere(chatId)).toBe(false);
  });
});

test('a reply that is begun anew is made by the model it was begun with', async () => {
  const chatId = await processing.createChat();
  await processing.send(chatId, 'hello');
  await processing.until(() => processing.life.runtime.turns.length > 0, 'the turn to begin');
  await processing.life.store.write((writer) => writer.run(`UPDATE chats SET model = 'another'`));
  await processing.crash();
  const turn = await processing.life.runtime.turnOf(chatId);
  expect(turn.request.model).toBe('offline-assistant');
  echo(turn);
  expect((await processing.untilAtRest(chatId)).model).toBe('another');
});

describe('a chat is unread', () => {
  test('when a reply came or failed, not when somebody stopped it', async () => {
    const { runtime } = processing.life;
    const outcomes: boolean[] = [];
    for (const how of ['reply', 'fail', 'stop'] as const) {
      runtime.onTurn = (turn) => {
        if (how === 'reply') echo(turn);
        if (how === 'fail') turn.fail();
      };
      const chatId = await processing.createChat();
      const before = runtime.turns.length;
      await processing.send(chatId, 'hello');
      await processing.until(() => runtime.turns.length > before, 'the turn to begin');
      if (how === 'stop') await processing.life.chats.stop(chatId, WORKSPACE);
      outcomes.push((await processing.untilAtRest(chatId)).unread);
    }
    expect(outcomes).toEqual([true, true, false]);
  });

  test('when its reply was given up because the process died three times', async () => {
    const chatId = await processing.createChat();
    await processing.send(chatId, 'hello');
    for (let death = 0; death < 3; death += 1) {
      await processing.until(() => processing.life.runtime.turns.length > 0, 'the turn to begin');
      expect(processing.chat(chatId).unread).toBe(false);
      await processing.crash();
    }
    expect(processing.chat(chatId)).toMatchObject({ status: 'failed', unread: true });
  });
});
