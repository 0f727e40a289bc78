import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAdmission, type Admission } from '../../../server/chats/admission.ts';
import type { AppError } from '../../../server/errors.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import { MAX_WAITING_MESSAGES } from '../../../shared/limits.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';

let processing: Processing;
let admission: Admission;
let msPerTurn: number;
let looks: number;

beforeEach(async () => {
  processing = await startProcessing();
  msPerTurn = 0;
  looks = 0;
  admission = createAdmission(processing.life.store, {
    msUntilTurn: () => msPerTurn,
  });
});
afterEach(() => processing.remove());

/** Puts messages in line, in two chats that nobody works on. */
const wait = (from: number, to: number, workspaceId = WORKSPACE): Promise<void> =>
  processing.life.store.write((writer) => {
    for (let index = from; index < to; index += 1) {
      createMessage(writer, {
        id: `w${index}`,
        chatId: `left alone ${index % 2}`,
        workspaceId,
        role: 'user',
        content: 'hi',
        status: 'pending',
        mode: 'chat',
        model: null,
        steps: [],
        error: null,
        usage: null,
        stopReason: null,
        replyTo: null,
        createdAt: '',
      });
    }
  });
const answer = (count: number): Promise<unknown> =>
  processing.life.store.write((writer) =>
    writer.run(
      `UPDATE messages SET status = 'complete' WHERE seq IN
        (SELECT seq FROM messages WHERE status = 'pending' LIMIT ?)`,
      [count],
    ),
  );
const send = (workspaceId = WORKSPACE): Promise<void> =>
  admission.admit(() => {
    looks += 1;
    return workspaceId;
  });
const add = (workspaceId = WORKSPACE): void =>
  processing.life.store.read((reader) => admission.add(reader, workspaceId));
const retryAfter = async (): Promise<number | undefined> => {
  const error = await send().then(
    () => null,
    (refusal: unknown) => refusal as AppError,
  );
  expect(error?.code).toBe('queue_full');
  return error?.retryAfterSeconds;
};

test('lets everybody in at once, without a look at the chat, while fewer than a thousand wait', async () => {
  await wait(0, MAX_WAITING_MESSAGES - 1);
  await send();
  expect(looks).toBe(0);
  add();
  await wait(MAX_WAITING_MESSAGES, MAX_WAITING_MESSAGES + 1);
  expect(() => add()).toThrow(expect.objectContaining({ code: 'queue_full' }));
});

test('refuses at the door what is for a full workspace, and lets in what is for others, and what may be a repeat', async () => {
  await wait(0, MAX_WAITING_MESSAGES);
  expect(() => add()).toThrow(expect.objectContaining({ code: 'queue_full' }));
  const results = await Promise.allSettled([send(), send('other'), admission.admit(() => null)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  add('other');
});

test('lets sends in again as soon as there is room', async () => {
  await wait(0, MAX_WAITING_MESSAGES);
  expect(() => add()).toThrow(expect.objectContaining({ code: 'queue_full' }));
  await expect(send()).rejects.toMatchObject({ code: 'queue_full' });
  const waiting = send();
  await answer(1);
  await waiting;
  add();
});

test('has what is for a full workspace wait before it is refused, and nobody else', async () => {
  await wait(0, MAX_WAITING_MESSAGES);
  expect(() => add()).toThrow(expect.objectContaining({ code: 'queue_full' }));
  const over: string[] = [];
  const refused = Array.from({ length: 40 }, () => send().catch(() => over.push('refused')));
  await Promise.all(Array.from({ length: 40 }, () => send('other').then(() => over.push('let in'))));
  expect(over).toEqual(Array.from({ length: 40 }, () => 'let in'));
  await Promise.all(refused);
  expect(over.slice(40)).toEqual(Array.from({ length: 40 }, () => 'refused'));
});

test('says when there will be room, by the pace of turns and how many wait for room already', async () => {
  await wait(0, MAX_WAITING_MESSAGES);
  expect(() => add()).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  await answer(1);
  add();
  await wait(MAX_WAITING_MESSAGES, MAX_WAITING_MESSAGES + 1);
  msPerTurn = 2_400;
  expect(() => add()).toThrow(expect.objectContaining({ retryAfterSeconds: 3 }));
  expect([await retryAfter(), await retryAfter()]).toEqual([5, 8]);
  msPerTurn = 60_000;
  expect(await retryAfter()).toBe(60);
});

test('counts anew before it refuses: those noted may have been answered, or lost with their transactions', async () => {
  for (let index = 0; index < MAX_WAITING_MESSAGES; index += 1) add();
  await send();
  add();
});
