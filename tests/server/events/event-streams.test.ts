import { createParser } from 'eventsource-parser';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  NOTHING_KNOWN,
  reduceConversation,
  type ConversationState,
} from '../../../renderer/chats/conversation-events.ts';
import { createEventStreams, type EventStreams } from '../../../server/events/event-streams.ts';
import type { ConversationEvent } from '../../../shared/api/event.ts';
import { startProcessing, type Processing } from '../../support/processing.ts';

let processing: Processing;
/** What the disk has yet to do before what can be read counts as written. */
let disk: Promise<void>;
let streams: EventStreams;
let chatId: string;

beforeEach(async () => {
  disk = Promise.resolve();
  processing = await startProcessing({
    wrap: (store) => ({
      ...store,
      settled: () => store.settled().then(() => disk),
      get writable() {
        return store.writable;
      },
      get version() {
        return store.version;
      },
    }),
  });
  chatId = await processing.createChat();
  streams = createEventStreams({
    ...processing.life,
    onError: (error) => {
      throw error;
    },
    heartbeatMs: 1_200,
  });
});

afterEach(async () => {
  streams.close();
  await processing.remove();
});

/** What a response is given, and what a client makes of it. */
class Reported extends Writable {
  text = '';
  state: ConversationState = NOTHING_KNOWN;
  events: ConversationEvent[] = [];
  readonly #parser = createParser({
    onEvent: ({ event: type, data }) => {
      const event = { type, ...(JSON.parse(data) as object) } as ConversationEvent;
      this.events.push(event);
      this.state = reduceConversation(this.state, event);
    },
  });

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.text += bytes.toString();
    this.#parser.feed(bytes.toString());
    done();
  }

  writeHead(): void {
    // Nobody looks at it.
  }

  flushHeaders(): void {
    // Likewise.
  }
}

const isAnswered = ({ state }: Reported): boolean =>
  state.chat?.status === 'idle' && state.messages[1]?.status === 'complete';

function open(): Reported {
  const reported = new Reported();
  const response = reported as unknown as ServerResponse;
  const subject = { workspaceId: null, chatId, cursor: null, isOnce: false };
  streams.open({ ...subject, response, headers: {}, holder: 'a key', isInForce: () => true });
  return reported;
}

test('what the disk refuses is never told, and what it takes later is', async () => {
  const reported = open();
  await processing.until(() => reported.events.length > 0, 'the first event');
  processing.life.disk.isFull = true;
  await expect(processing.send(chatId, 'refused')).rejects.toThrow();
  processing.life.disk.isFull = false;
  await processing.until(() => processing.life.store.writable, 'the store to take writes');
  await processing.send(chatId, 'taken');
  (await processing.life.runtime.turnOf(chatId)).reply('yes');
  await processing.untilAtRest(chatId);
  await processing.until(() => isAnswered(reported), 'the end to be told');
  expect(reported.state.messages.map(({ content }) => content)).toEqual(['taken', 'yes']);
  expect(reported.text).not.toContain('refused');
});

test('what is on its way to the disk is told once it is there', async () => {
  const reported = open();
  await processing.until(() => reported.events.length > 0, 'the first event');
  const written = Promise.withResolvers<undefined>();
  disk = written.promise;
  await processing.send(chatId, 'hello');
  const turn = await processing.life.runtime.turnOf(chatId);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(reported.events).toHaveLength(1);
  written.resolve(undefined);
  await processing.until(() => reported.state.messages[1]?.status === 'pending', 'the turn to be told');
  turn.reply();
});

test('the text of a reply is told while the disk takes no writes', async () => {
  const reported = open();
  await processing.send(chatId, 'hello');
  const turn = await processing.life.runtime.turnOf(chatId);
  turn.stream('one');
  await processing.until(() => reported.state.messages[1]?.content === 'one', 'the first word');
  processing.life.disk.isFull = true;
  turn.stream(' two');
  await processing.until(() => !processing.life.store.writable, 'the disk to refuse');
  turn.stream(' three');
  await processing.until(() => reported.state.messages[1]?.content === 'one two three', 'the last word');
  processing.life.disk.isFull = false;
  turn.reply();
  await processing.until(() => isAnswered(reported), 'the end to be told');
  expect(reported.state.messages[1]).toMatchObject({ content: 'one two three', status: 'complete' });
});

test('a quiet stream gives signs of life', async () => {
  const reported = open();
  await processing.until(
    () => reported.text.split('\n').filter((line) => line === ':').length >= 2,
    'two of them',
  );
  expect(reported.events).toHaveLength(1);
});

test('while no stream is open, nothing listens and nothing is left to do', async () => {
  const reported = open();
  await processing.until(() => reported.events.length > 0, 'the first event');
  expect(streams.count).toBe(1);
  reported.destroy();
  await processing.until(() => streams.count === 0, 'it to be gone');
  const { events } = reported;
  await processing.send(chatId, 'hello');
  (await processing.life.runtime.turnOf(chatId)).reply('yes');
  await processing.untilAtRest(chatId);
  expect(reported.events).toBe(events);
  const next = open();
  await processing.until(() => next.state.messages.length === 2, 'another stream to tell all');
});
