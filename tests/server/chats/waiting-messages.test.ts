/** Messages that wait, over the whole service without HTTP: a process that dies, a disk that refuses, a worker that comes first. */
import { afterEach, describe, expect, test } from 'vitest';
import type { ToolReach } from '../../../server/store/message-repository.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

let processing: Processing;
let chatId: string;

/** "one" is being answered; the others wait. */
async function start(...others: string[]): Promise<void> {
  processing = await startProcessing();
  chatId = await processing.createChat();
  for (const content of ['one', ...others]) {
    await processing.send(chatId, content);
    await processing.life.runtime.turnOf(chatId);
  }
}
afterEach(() => processing.remove());

const target = (content: string) => ({ chatId, workspaceId: WORKSPACE, messageId: idOf(content) });
const idOf = (content: string): string =>
  processing.messages(chatId).find((message) => message.content === content)?.id ?? '';
const asked = (): string[] =>
  processing.messages(chatId).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
const reachOf = (content: string): ToolReach =>
  processing.messages(chatId).find((message) => message.content === content)?.toolReach ?? 'all';

async function answerAll(): Promise<string[]> {
  processing.life.runtime.onTurn = echo;
  for (const turn of processing.life.runtime.running()) echo(turn);
  await processing.untilAtRest(chatId);
  return processing.messages(chatId).flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
}

test('what was answered holds when the process is killed right after it', async () => {
  await start('two', 'three', 'four', 'five');
  const { chats } = processing.life;
  await chats.changeWaiting({ ...target('two'), content: 'two, better', toolReach: 'all' });
  await chats.moveWaiting({ ...target('five'), before: idOf('two, better') });
  await chats.deleteMessage({ ...target('three'), ifWaiting: true });
  (await processing.life.runtime.turnOf(chatId)).stream('Half');
  await chats.sendWaitingNow(target('four'));
  await processing.crash();
  expect(asked()).toEqual(['one', 'four', 'five', 'two, better']);
  expect(await answerAll()).toEqual(['Half', 'Re: four', 'Re: five', 'Re: two, better']);
});

test('a disk that refuses leaves all as it was, and the reply under way goes on', async () => {
  await start('two', 'three');
  const before = processing.messages(chatId);
  const { chats, disk } = processing.life;
  disk.isFull = true;
  for (const change of [
    () => chats.changeWaiting({ ...target('two'), content: 'lost', toolReach: 'all' }),
    () => chats.moveWaiting({ ...target('three'), before: idOf('two') }),
    () => chats.deleteMessage({ ...target('two'), ifWaiting: true }),
    () => chats.sendWaitingNow(target('three')),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'storage_full' });
  expect(processing.messages(chatId)).toEqual(before);
  disk.isFull = false;
  await processing.until(() => processing.life.store.writable);
  expect(await answerAll()).toEqual(['Re: one', 'Re: two', 'Re: three']);
});

test('either the change comes first and is answered, or the worker does and it is refused', async () => {
  const outcomes = new Set<string>();
  await start();
  processing.life.runtime.onTurn = echo;
  for (let round = 0; round < 40; round += 1) {
    const content = `m${round}`;
    for (const turn of processing.life.runtime.running()) echo(turn);
    await processing.send(chatId, content);
    const changing = { ...target(content), content: `${content}, better`, toolReach: 'all' } as const;
    for (let turns = 0; turns < round % 5; turns += 1) await new Promise(setImmediate);
    const outcome = await processing.life.chats.changeWaiting(changing).then(
      () => 'changed',
      (error: unknown) => (error as { code: string }).code,
    );
    outcomes.add(outcome);
    await processing.untilAtRest(chatId);
    const said = outcome === 'changed' ? `${content}, better` : content;
    expect(processing.messages(chatId).at(-1)?.content).toBe(`Re: ${said}`);
  }
  expect([...outcomes].filter((outcome) => !['changed', 'message_taken'].includes(outcome))).toEqual([]);
});

test('a message taken out of the queue before anything was begun leaves the chat at rest', async () => {
  processing = await startProcessing({ concurrency: 1 });
  const [busy, idle] = [await processing.createChat(), await processing.createChat()];
  await processing.send(busy, 'hang');
  await processing.life.runtime.turnOf(busy);
  chatId = idle;
  await processing.send(idle, 'never mind');
  await processing.life.chats.deleteMessage({ ...target('never mind'), ifWaiting: true });
  expect(processing.chat(idle).status).toBe('idle');
  await processing.send(idle, 'this one');
  (await processing.life.runtime.turnOf(busy)).reply('done');
  expect(await answerAll()).toEqual(['Re: this one']);
});

describe('the tools that the turn of a changed message gets', () => {
  test.each<[sent: ToolReach, changer: ToolReach, asks: boolean, after: ToolReach]>([
    ['all', 'all', false, 'all'],
    ['all', 'none', false, 'none'],
    ['none', 'all', false, 'none'],
    ['unasked', 'all', false, 'unasked'],
    ['unasked', 'all', true, 'all'],
    ['none', 'all', true, 'all'],
    ['all', 'unasked', true, 'unasked'],
  ])(
    'of one sent with %s, by who may have %s (onApproval given: %s) are %s',
    async (sent, by, asks, after) => {
      await start();
      await processing.life.chats.send({
        chatId,
        workspaceId: WORKSPACE,
        content: 'two',
        mode: 'agent',
        toolReach: sent,
      });
      const onApproval = asks ? (by === 'unasked' ? 'deny' : 'ask') : undefined;
      await processing.life.chats.changeWaiting({
        ...target('two'),
        mode: 'chat',
        onApproval,
        toolReach: by,
      });
      expect(reachOf('two')).toBe(after);
    },
  );
});
