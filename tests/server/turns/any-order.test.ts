/** Whatever happens to chats in whatever order: no state lies, none lasts, nothing is lost and nothing doubled. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findChat } from '../../../server/store/chat-repository.ts';
import type { MessageInWorkspace } from '../../../server/chats/deps.ts';
import type { Reader, Store } from '../../../server/store/types.ts';
import { rounds } from '../../support/effort.ts';
import { startProcessing, type Processing } from '../../support/processing.ts';
import type { ScriptedTurn } from '../../support/scripted-runtime.ts';
import { listMessages } from '../../support/list-messages.ts';

const CHATS = 3;
const TURN_TIMEOUT_MS = 40;

type Command =
  | { do: 'send' | 'stop' | 'stream' | 'reply' | 'fail' | 'crash agent' | 'lose thread'; chat: number }
  | { do: 'send and do not wait' | 'stop and send'; chat: number }
  | { do: 'cancel last' | 'move last up' | 'change last' | 'send last now'; chat: number }
  | { do: 'kill' | 'restart' | 'time out' | 'fill disk' | 'free disk' | 'ignore aborts' | 'wait' };

const chat = fc.nat({ max: CHATS - 1 });
const onChat = (...names: Extract<Command, { chat: number }>['do'][]): fc.Arbitrary<Command> =>
  fc.record({ do: fc.constantFrom(...names), chat });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: onChat('send', 'send and do not wait') },
  { weight: 6, arbitrary: onChat('stream', 'reply') },
  {
    weight: 5,
    arbitrary: onChat('cancel last', 'move last up', 'change last', 'send last now'),
  },
  { weight: 4, arbitrary: onChat('fail', 'crash agent', 'lose thread', 'stop', 'stop and send') },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Command>(
      { do: 'kill' },
      { do: 'restart' },
      { do: 'time out' },
      { do: 'wait' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Command>({ do: 'fill disk' }, { do: 'free disk' }, { do: 'ignore aborts' }),
  },
);

/** What a client was told: the ids of messages whose send was answered can't be known, so contents are unique. */
interface Reported {
  chatIds: string[];
  acknowledged: Map<string, string>;
  /** Contents of messages that were told to be removed while they waited; and of those for which that isn't known. */
  cancelled: Set<string>;
  doubtful: Set<string>;
  underWay: Set<Promise<unknown>>;
  count: number;
}

/** Statuses say what is so, at every moment a reader could look. */
function checkTruth(reader: Reader, chatId: string): void {
  const stored = findChat(reader, chatId);
  if (stored === null) return;
  const messages = listMessages(reader, chatId);
  const waiting = messages.filter(({ role, status }) => role === 'user' && status === 'pending').length;
  const unfinished = messages.filter(
    ({ role, status }) => role === 'assistant' && (status === 'pending' || status === 'streaming'),
  ).length;
  const seen = `${stored.status}, ${waiting} waiting, ${unfinished} unfinished`;
  const isTrue = {
    idle: waiting === 0 && unfinished === 0,
    failed: waiting === 0 && unfinished === 0,
    stopped: waiting === 0 && unfinished === 0,
    pending: waiting + unfinished > 0,
    processing: unfinished === 1,
    completed: unfinished === 0,
  }[stored.status];
  if (!isTrue || unfinished > 1) throw new Error(`A status lied: ${seen}.`);
  const atWork = stored.attempts > 0;
  if (atWork && unfinished === 0) throw new Error(`Tries are counted of nothing: ${seen}.`);
}

/** What was sent of a message that may have been changed since. */
const asSent = (content: string): string => content.replace(/x$/, '');

/** What an agent says to a message; unlike any other, and never a part of another. */
const answerTo = (turn: ScriptedTurn): string => `<${turn.request.messages.at(-1)?.content ?? ''}>`;

async function perform(
  processing: Processing,
  reported: Reported,
  step: Command,
  lies: string[],
): Promise<void> {
  const { life } = processing;
  const chatId = 'chat' in step ? (reported.chatIds[step.chat] ?? '') : '';
  const turn = life.runtime.running().findLast(({ request }) => request.chatId === chatId);
  const send = (): Promise<unknown> => {
    const content = `m${(reported.count += 1)}`;
    const sending = life.chats.send({ chatId, workspaceId: null, content, mode: 'agent' }).then(
      (answer) => {
        reported.acknowledged.set(content, chatId);
        if (answer.status !== 'pending') lies.push(`a send was answered ${answer.status}`);
      },
      () => undefined,
    );
    reported.underWay.add(sending);
    return sending;
  };
  /** Changes the last message that waits, or does nothing. */
  const onLast = (
    act: (target: MessageInWorkspace, content: string, first: string) => Promise<unknown>,
  ): Promise<unknown> => {
    const waiting = processing
      .messages(chatId)
      .filter(({ role, status }) => role === 'user' && status === 'pending');
    const last = waiting.at(-1);
    if (last === undefined) return Promise.resolve();
    const target = { chatId, workspaceId: null, messageId: last.id };
    return orDead(act(target, last.content, waiting[0]?.id ?? '').catch(() => undefined));
  };
  const orDead = (promise: Promise<unknown>): Promise<unknown> =>
    Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 3_000))]);
  switch (step.do) {
    case 'send':
      await orDead(send());
      return;
    case 'send and do not wait':
      void send();
      return;
    case 'stop':
      await orDead(life.processor.stop(chatId).catch(() => undefined));
      return;
    case 'stop and send': {
      const stopping = life.processor.stop(chatId).catch(() => undefined);
      await orDead(Promise.all([stopping, send()]));
      return;
    }
    case 'cancel last':
      await onLast(async (target, content) => {
        const sent = asSent(content);
        reported.doubtful.add(sent);
        await life.chats.deleteMessage({ ...target, ifWaiting: true });
        reported.cancelled.add(sent);
        reported.doubtful.delete(sent);
      });
      return;
    case 'move last up':
      await onLast((target, _, before) => life.chats.moveWaiting({ ...target, before }));
      return;
    case 'change last':
      await onLast((target, content) =>
        life.chats.changeWaiting({ ...target, content: content.replace(/x*$/, 'x'), toolReach: 'all' }),
      );
      return;
    case 'send last now':
      await onLast((target) => life.chats.sendWaitingNow(target));
      return;
    case 'stream':
      return turn?.stream('.');
    case 'reply':
      return turn?.reply(answerTo(turn));
    case 'fail':
      return turn?.fail();
    case 'crash agent':
      return turn?.crash();
    case 'lose thread':
      return turn?.loseThread();
    case 'kill':
      return processing.crash();
    case 'restart':
      return processing.restart();
    case 'time out':
      await new Promise((resolve) => setTimeout(resolve, TURN_TIMEOUT_MS * 1.5));
      return;
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, 2));
      return;
    case 'fill disk':
      life.disk.isFull = true;
      return;
    case 'free disk':
      life.disk.isFull = false;
      return;
    case 'ignore aborts':
      life.runtime.heedsAborts = !life.runtime.heedsAborts;
      return;
  }
}

/** The agent answers everything from now on, until nothing is left to do. */
async function finishAll(processing: Processing, reported: Reported): Promise<void> {
  processing.life.disk.isFull = false;
  await processing.until(() => processing.life.store.writable, 'the store to be writable');
  processing.life.runtime.onTurn = (turn) => turn.reply(answerTo(turn));
  for (const turn of processing.life.runtime.running()) turn.reply(answerTo(turn));
  await Promise.race([Promise.all(reported.underWay), new Promise((resolve) => setTimeout(resolve, 500))]);
  for (const chatId of reported.chatIds) await processing.untilAtRest(chatId);
}

function checkEnd(processing: Processing, reported: Reported): void {
  for (const chatId of reported.chatIds) {
    const messages = processing.messages(chatId);
    const questions = messages.filter(({ role }) => role === 'user');
    const replies = messages.filter(({ role }) => role === 'assistant');
    expect(replies.map(({ replyTo }) => replyTo)).toEqual(questions.map(({ id }) => id));
    for (const question of questions) {
      const reply = replies.find(({ replyTo }) => replyTo === question.id);
      expect(question.status).toBe('complete');
      expect(reply?.seq).toBeGreaterThan(question.seq);
      if (reply?.status === 'complete' && reply.stopReason === 'end') {
        expect(reply.content).toBe(`<${question.content}>`);
      } else {
        expect(reply?.status === 'error' ? 'failed' : reply?.stopReason).toMatch(/^(failed|stopped)$/);
        expect(reply?.content).toMatch(/^(\.*|<m\d+x?>)$/);
      }
    }
    const contents = questions.map(({ content }) => asSent(content));
    expect(new Set(contents).size).toBe(contents.length);
    const promised = [...reported.acknowledged].flatMap(([content, id]) =>
      id === chatId && !reported.cancelled.has(content) && !reported.doubtful.has(content) ? [content] : [],
    );
    expect(contents.filter((content) => reported.cancelled.has(content))).toEqual([]);
    expect(contents).toEqual(expect.arrayContaining(promised));
  }
}

test('no order of events ends in a state that lies or lasts', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 30 }), async (commands) => {
      const reported: Reported = {
        chatIds: [],
        acknowledged: new Map(),
        cancelled: new Set(),
        doubtful: new Set(),
        underWay: new Set(),
        count: 0,
      };
      const lies: string[] = [];
      const watched = (store: Store): Store => ({
        ...store,
        get writable() {
          return store.writable;
        },
        write: (work) =>
          store.write((writer) => {
            const result = work(writer);
            for (const chatId of reported.chatIds) {
              try {
                checkTruth(writer, chatId);
              } catch (lie) {
                lies.push(String(lie));
              }
            }
            return result;
          }),
      });
      const processing = await startProcessing({
        turnTimeoutMs: () => TURN_TIMEOUT_MS,
        concurrency: 2,
        wrap: watched,
      });
      try {
        for (let index = 0; index < CHATS; index += 1) reported.chatIds.push(await processing.createChat());
        for (const step of commands) await perform(processing, reported, step, lies);
        await finishAll(processing, reported);
        expect(lies).toEqual([]);
        checkEnd(processing, reported);
        await processing.restart();
        for (const chatId of reported.chatIds) await processing.untilAtRest(chatId);
        checkEnd(processing, reported);
      } finally {
        await processing.remove();
      }
    }),
    {
      numRuns: rounds(30),
      seed: Number(process.env.ANY_ORDER_SEED ?? 20_260),
      endOnFailure: true,
    },
  );
});
