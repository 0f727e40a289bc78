/** Editing and its kin over the whole service without HTTP: the processor, a store on disk, and a process that dies. */
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChatService } from '../../../server/chats/chat-service.ts';
import { findPosition } from '../../../server/store/version-repository.ts';
import { MAX_WAITING_MESSAGES } from '../../../shared/limits.ts';
import { rounds } from '../../support/effort.ts';
import {
  startProcessing,
  WORKSPACE,
  type Processing,
  type ProcessingOptions,
} from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

let processing: Processing;
let chatId: string;

async function start(options: ProcessingOptions = { onTurn: echo }): Promise<void> {
  processing = await startProcessing(options);
  chatId = await processing.createChat();
}
afterEach(() => processing.remove());

const chats = (): ChatService => processing.life.chats;
const target = (messageId: string) => ({ chatId, workspaceId: WORKSPACE, messageId });
const contents = (): string[] => processing.messages(chatId).map(({ content }) => content);
const idOf = (content: string): string =>
  processing.messages(chatId).find((message) => message.content === content)?.id ?? '';
const structure = (): number => processing.chat(chatId).structure;

async function ask(content: string): Promise<string> {
  await processing.send(chatId, content);
  await processing.untilAtRest(chatId);
  return idOf(content);
}

async function edit(messageId: string, content: string): Promise<string> {
  await chats().edit({ ...target(messageId), content });
  await processing.untilAtRest(chatId);
  return idOf(content);
}

describe('a process that is killed', () => {
  test('keeps an edit that was answered, and its turn is taken up', async () => {
    await start({});
    await processing.send(chatId, 'one');
    (await processing.life.runtime.turnOf(chatId)).reply('first');
    await processing.untilAtRest(chatId);
    expect(await chats().edit({ ...target(idOf('one')), content: 'one, better' })).toMatchObject({
      status: 'pending',
    });
    await processing.crash();
    expect(contents()[0]).toBe('one, better');
    (await processing.life.runtime.turnOf(chatId)).reply('second');
    await processing.untilAtRest(chatId);
    expect(contents()).toEqual(['one, better', 'second']);
  });

  test('keeps deletions and choices that were answered', async () => {
    await start();
    const one = await ask('one');
    await edit(one, 'one, better');
    await chats().showMessage(target(one));
    await chats().deleteMessage(target(idOf('Re: one')));
    await processing.crash();
    expect(contents()).toEqual(['one']);
    await chats().restoreMessage(target(one));
    expect(structure()).toBe(3);
  });
});

describe('a disk that refuses', () => {
  test('leaves all as it was', async () => {
    await start();
    const one = await ask('one');
    await processing.life.store.settled();
    const before = [processing.chat(chatId), processing.messages(chatId)];
    processing.life.disk.isFull = true;
    await expect(chats().edit({ ...target(one), content: 'lost' })).rejects.toMatchObject({
      code: 'storage_full',
    });
    await expect(chats().deleteMessage(target(one))).rejects.toMatchObject({ code: 'storage_full' });
    expect([processing.chat(chatId), processing.messages(chatId)]).toEqual(before);
    processing.life.disk.isFull = false;
    await processing.until(() => processing.life.store.writable);
    await edit(one, 'kept');
    expect(contents()).toEqual(['kept', 'Re: kept']);
  });
});

describe('what changes in the chat', () => {
  test('is its structure, once for each change, and the time of the change', async () => {
    let now = Date.UTC(2026, 10, 20);
    await start({ onTurn: echo, clock: () => new Date((now += 1)) });
    const one = await ask('one');
    const steps: [() => Promise<unknown>, number][] = [
      [() => edit(one, 'one, better'), 1],
      [() => chats().showMessage(target(one)), 2],
      [() => chats().showMessage(target(one)), 2],
      [() => chats().deleteMessage(target(one)), 3],
      [() => chats().deleteMessage(target(one)), 3],
      [() => chats().restoreMessage(target(one)), 4],
      [() => chats().restoreMessage(target(one)), 4],
      [
        () =>
          chats()
            .retry({ chatId, workspaceId: null })
            .then(() => processing.untilAtRest(chatId)),
        5,
      ],
    ];
    for (const [step, expected] of steps) {
      const before = processing.chat(chatId);
      await step();
      const after = processing.chat(chatId);
      expect(after.structure).toBe(expected);
      expect(after.updatedAt > before.updatedAt).toBe(expected !== before.structure);
    }
  });

  test('is its title when the message it came from is edited, unless a person chose it', async () => {
    await start();
    const one = await ask('Plan a trip');
    await ask('And a budget');
    expect(processing.chat(chatId).title).toBe('Plan a trip');
    await edit(idOf('And a budget'), 'And a list');
    expect(processing.chat(chatId).title).toBe('Plan a trip');
    const better = await edit(one, 'Plan a holiday');
    expect(processing.chat(chatId)).toMatchObject({ title: 'Plan a holiday', titleSource: 'message' });
    await processing.life.store.write((writer) =>
      writer.run(`UPDATE chats SET title = 'Mine', title_source = 'person' WHERE id = ?`, [chatId]),
    );
    await edit(better, 'Plan a picnic');
    expect(processing.chat(chatId).title).toBe('Mine');
  });

  test('is nothing while a reply is under way', async () => {
    await start({});
    await processing.send(chatId, 'one');
    const turn = await processing.life.runtime.turnOf(chatId);
    const one = idOf('one');
    const before = structure();
    const attempts = [
      () => chats().edit({ ...target(one), content: 'two' }),
      () => chats().retry({ chatId, workspaceId: null }),
      () => chats().deleteMessage(target(one)),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({
        code: expect.stringMatching(/^(chat_busy|message_taken)$/) as string,
      });
    expect([structure(), processing.messages(chatId).length]).toEqual([before, 2]);
    turn.reply('done');
    await processing.untilAtRest(chatId);
  });
});

test('an edit and a retry are refused when the queue of the workspace is full, and change nothing', async () => {
  await start();
  const one = await ask('one');
  await processing.life.processor.close();
  const other = await processing.createChat();
  await Promise.all(
    Array.from({ length: MAX_WAITING_MESSAGES }, (_, index) => processing.send(other, `m${index}`)),
  );
  await expect(chats().edit({ ...target(one), content: 'two' })).rejects.toMatchObject({
    code: 'queue_full',
  });
  await expect(chats().retry({ chatId, workspaceId: null })).rejects.toMatchObject({ code: 'queue_full' });
  expect(contents()).toEqual(['one', 'Re: one']);
  expect(structure()).toBe(0);
});

type Command = { do: 'send' | 'kill' } | { do: 'edit' | 'retry' | 'show' | 'delete' | 'restore'; at: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Command>({ do: 'send' }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('edit', 'retry', 'show', 'delete', 'restore'),
      at: fc.nat(),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Command>({ do: 'kill' }) },
);

test(
  'whatever is done in whatever order, each message has its reply, and every version can be shown',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 25 }), async (commands) => {
        await start();
        let count = 0;
        const ids: string[] = [];
        const deleted = new Set<string>();
        /** Sends in one way or another, and dies before or after the reply. */
        const note = async (sending: Promise<unknown>): Promise<void> => {
          await sending;
          const last = processing.messages(chatId).findLast(({ role }) => role === 'user');
          ids.push(last?.id ?? '');
        };
        try {
          for (const step of commands) {
            const id = 'at' in step ? ids[step.at % Math.max(1, ids.length)] : undefined;
            if (step.do === 'send') await note(processing.send(chatId, `m${(count += 1)}`));
            else if (step.do === 'kill') await processing.crash();
            else {
              await processing.untilAtRest(chatId);
              if (id === undefined || deleted.has(id) !== (step.do === 'restore')) continue;
              if (step.do === 'edit')
                await note(chats().edit({ ...target(id), content: `m${(count += 1)}` }));
              if (step.do === 'retry') await note(chats().retry({ ...target(id) }));
              if (step.do === 'show') await chats().showMessage(target(id));
              if (step.do === 'delete')
                await chats()
                  .deleteMessage(target(id))
                  .then(() => deleted.add(id));
              if (step.do === 'restore')
                await chats()
                  .restoreMessage(target(id))
                  .then(() => deleted.delete(id));
            }
            if (processing.life.runtime.onTurn === null) processing.life.runtime.onTurn = echo;
          }
          await processing.untilAtRest(chatId);
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of ids) {
            expect(processing.life.store.read((reader) => findPosition(reader, chatId, id))).not.toBeNull();
            if (!deleted.has(id)) await chats().showMessage(target(id));
            const messages = processing.messages(chatId);
            expect(messages.some((message) => message.id === id)).toBe(!deleted.has(id));
            for (const question of messages.filter(({ role }) => role === 'user')) {
              const replies = messages.filter(({ replyTo }) => replyTo === question.id);
              expect(replies.map(({ content }) => content)).toEqual([`Re: ${question.content}`]);
            }
          }
          expect(processing.life.errors).toEqual([]);
        } finally {
          await processing.remove();
        }
      }),
      { numRuns: rounds(12), seed: Number(process.env.VERSION_SEED ?? 20_262) },
    );
    // The last run has cleaned up after itself.
    await start();
  },
);
