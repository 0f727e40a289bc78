import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  endChatTurn,
  releaseTurn,
  saveProgress,
  storeEnd,
  takeTurn,
  type TakenTurn,
} from '../../../server/turns/rows.ts';
import { stoppedReply } from '../../../server/turns/final-reply.ts';
import { createReplySaver } from '../../../server/store/growing-reply.ts';
import { startProcessing, type Processing } from '../../support/processing.ts';

const NOW = '2026-11-20T12:00:00.000Z';
let processing: Processing;
let chatId: string;

beforeEach(async () => {
  processing = await startProcessing();
  chatId = await processing.createChat();
  // The rows alone: the processor takes nothing up.
  await processing.life.processor.close();
});
afterEach(() => processing.remove());

async function take(replyId: string): Promise<TakenTurn> {
  await processing.send(chatId, `asked for ${replyId}`);
  const turn = await processing.life.store.write((writer) => takeTurn(writer, chatId, replyId, NOW));
  if (turn === null) throw new Error('nothing to take');
  return turn;
}

const stop = () =>
  processing.life.store.write((writer) =>
    endChatTurn(writer, chatId, {
      event: 'stop',
      live: null,
      waiting: null,
      newId: () => 'unused',
      now: NOW,
    }),
  );

test('nothing that a turn writes after its end is kept', async () => {
  const turn = await take('first');
  await stop();
  const before = [processing.chat(chatId), processing.messages(chatId)];
  const late = { content: 'late', steps: [] };
  await processing.life.store.write((writer) => {
    expect(saveProgress(writer, turn, createReplySaver(turn.replyId), { ...late, reasoning: '' }, NOW)).toBe(
      false,
    );
    expect(storeEnd(writer, turn, stoppedReply(late), NOW, () => null)).toBeNull();
    releaseTurn(writer, turn, NOW);
  });
  expect([processing.chat(chatId), processing.messages(chatId)]).toEqual(before);
});

test('the end of a turn is not taken for the end of the next', async () => {
  const first = await take('first');
  await stop();
  await take('second');
  await processing.life.store.write((writer) => {
    expect(storeEnd(writer, first, stoppedReply({ content: 'late', steps: [] }), NOW, () => null)).toBeNull();
    releaseTurn(writer, first, NOW);
  });
  expect(processing.chat(chatId)).toMatchObject({ status: 'processing', attempts: 1 });
  expect(processing.messages(chatId).at(-1)).toMatchObject({ id: 'second', status: 'pending', content: '' });
});
