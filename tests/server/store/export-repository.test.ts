import { expect, it, onTestFinished } from 'vitest';
import { isLongerThan, messageTexts } from '../../../server/store/export-repository.ts';
import { createImportedMessages } from '../../../server/store/import-repository.ts';
import { settleChat } from '../../../server/data/settle-chat.ts';
import { exportedChat, replied } from '../../support/exported.ts';
import { PIECE_BYTES } from '../../../server/store/pieces.ts';
import { openTempStore } from '../../support/store.ts';

it('counts text, steps and reasoning of the messages that it reads at once', async () => {
  const temp = await openTempStore();
  onTestFinished(() => temp.remove());
  const { store } = temp;
  const long = 'x'.repeat(PIECE_BYTES);
  const half = 'x'.repeat(0.6 * PIECE_BYTES);
  const step = { id: '1', tool: 't', status: 'done' as const, input: long };
  const each = [replied(long, ''), replied('', '', { steps: [step] }), replied('', '', { reasoning: half })];
  const { chat, messages } = settleChat(exportedChat([...each, replied(half, '')]), 'w', () => 'never');
  await store.write((writer) => createImportedMessages(writer, chat, messages));
  const lengths: number[] = [];
  for await (const piece of messageTexts(store, chat.id, { lastSeq: 10 })) lengths.push(piece.length);
  expect(lengths).toEqual([1, 1, 1, 1]);
  const most = { rows: 10, bytes: 3 * PIECE_BYTES };
  expect(store.read((reader) => isLongerThan(reader, chat.id, 0, most))).toBe(true);
  expect(store.read((reader) => isLongerThan(reader, chat.id, 1, most))).toBe(false);
});
