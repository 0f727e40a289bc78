import { expect, onTestFinished, test } from 'vitest';
import { createDraftService } from '../../../server/chats/drafts.ts';
import { openTempStore } from '../../support/store.ts';

test('a draft that was written while the clock was ahead gives way to one that is written now', async () => {
  const temp = await openTempStore();
  onTestFinished(() => temp.remove());
  let nowMs = Date.parse('2026-12-30T12:00:00.000Z');
  const drafts = createDraftService({ store: temp.store, clock: () => new Date(nowMs) });
  await drafts.save('w', { chatKey: 'new', text: 'ahead', updatedAt: '2026-12-30T12:00:00.000Z' });
  nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  await drafts.save('w', { chatKey: 'new', text: 'now', updatedAt: '2026-11-20T12:00:00.000Z' });
  expect(await drafts.list('w')).toMatchObject([{ text: 'now' }]);
});
