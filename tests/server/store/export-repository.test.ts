import { expect, it, onTestFinished } from 'vitest';
import { isLongerThan, messageTexts } from '../../../server/store/message-json.ts';
import { createImportedMessages } from '../../../server/store/import-repository.ts';
import { createFindings } from '../../../server/data/findings.ts';
import { finishChat, openReadChat, takeMessage } from '../../../server/data/read-chat.ts';
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
  const findings = createFindings();
  const open = openReadChat(exportedChat([]), 1, findings);
  if (open === null) throw new Error('This is a chat.');
  for (const message of [...each, replied(half, '')]) takeMessage(message, open, findings);
  const { chat, messages } = finishChat(open, findings);
  await store.write((writer) => createImportedMessages(writer, { ...chat, workspaceId: 'w' }, messages));
  const lengths: number[] = [];
  for await (const piece of messageTexts(store, chat.id, { lastSeq: 10 })) lengths.push(piece.length);
  // None follows one that fills its piece.
  expect(lengths).toEqual([1, 1, 2]);
  const most = { rows: 10, bytes: 3 * PIECE_BYTES };
  expect(store.read((reader) => isLongerThan(reader, chat.id, 0, most))).toBe(true);
  expect(store.read((reader) => isLongerThan(reader, chat.id, 1, most))).toBe(false);
});
