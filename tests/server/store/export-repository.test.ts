import { expect, it, onTestFinished } from 'vitest';
import { isLongerThan, listMessageTexts } from '../../../server/store/export-repository.ts';
import { createImportedMessages } from '../../../server/store/import-repository.ts';
import { settleChat } from '../../../server/data/settle-chat.ts';
import { exportedChat, replied } from '../../support/exported.ts';
import { openTempStore } from '../../support/store.ts';

it('counts text, steps and reasoning of the messages that it reads at once', async () => {
  const temp = await openTempStore();
  onTestFinished(() => temp.remove());
  const { store } = temp;
  const long = 'x'.repeat(1_000);
  const step = { id: '1', tool: 't', status: 'done' as const, input: long };
  const each = [replied(long, ''), replied('', '', { steps: [step] }), replied('', '', { reasoning: long })];
  const { chat, messages } = settleChat(exportedChat([...each, replied('', '')]), 'w', () => 'never');
  await store.write((writer) => createImportedMessages(writer, chat, messages));
  const slice = { lastSeq: 10, rows: 10, bytes: 900 };
  for (const afterSeq of [0, 1, 2])
    expect(store.read((reader) => listMessageTexts(reader, chat.id, { ...slice, afterSeq })).length).toBe(1);
  expect(store.read((reader) => isLongerThan(reader, chat.id, 0, { rows: 10, bytes: 3_000 }))).toBe(true);
  expect(store.read((reader) => isLongerThan(reader, chat.id, 1, { rows: 10, bytes: 3_000 }))).toBe(false);
});
