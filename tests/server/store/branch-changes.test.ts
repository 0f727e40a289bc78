/** Long branches that are hidden and shown in slices: what is seen in between, and after a kill. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBranchChanges } from '../../../server/chats/branch-changes.ts';
import {
  ROWS_AT_ONCE,
  listUnsettledVersions,
  prepareHiding,
  settleVersions,
} from '../../../server/store/branch-change-repository.ts';
import { listMarks } from '../../../server/store/branch-repository.ts';
import { createChat } from '../../../server/store/chat-repository.ts';
import { listLinks } from '../../../server/store/export-repository.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import {
  findPosition,
  hideBranch,
  markVersion,
  showMessage,
  type MessagePosition,
} from '../../../server/store/version-repository.ts';
import type { Writer } from '../../../server/store/types.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';
import { storedChat, storedMessage } from '../../support/stored.ts';

const PAIRS = 2 * ROWS_AT_ONCE;
const CHAT = 'chat';
let temp: TempStore;

const reply = (to: string) => storedMessage({ id: `re ${to}`, chatId: CHAT, role: 'assistant', replyTo: to });
const add = (writer: Writer, id: string): void => {
  createMessage(writer, storedMessage({ id, chatId: CHAT }));
  createMessage(writer, reply(id));
};
const listedIds = (): string[] =>
  temp.store.read((reader) => listMarks(reader, CHAT, 0, 10_000)).map(({ id }) => id);
const place = (id: string): MessagePosition => {
  const found = temp.store.read((reader) => findPosition(reader, CHAT, id));
  if (found === null) throw new Error(`There is no ${id}.`);
  return found;
};
const hiddenInExport = (): number =>
  temp.store.read((reader) => listLinks(reader, CHAT)).filter(({ hiddenBy }) => hiddenBy !== null).length;
const unsettled = () => temp.store.read((reader) => listUnsettledVersions(reader, null));

beforeEach(async () => {
  temp = await openTempStore();
  await temp.store.write((writer) => {
    createChat(writer, storedChat({ id: CHAT }));
    for (let index = 0; index < PAIRS; index += 1) add(writer, `m${index}`);
  });
});
afterEach(() => temp.remove());

/** Replaces a message by another version, as an edit does. */
async function edit(id: string, by: string): Promise<void> {
  const version = place(id);
  const markedTo = new Map([[id, await prepareHiding(temp.store, CHAT, version)]]);
  await temp.store.write((writer) => {
    hideBranch(writer, CHAT, version, markedTo);
    add(writer, by);
    markVersion(writer, by, version, false);
  });
}

it('a branch is listed whole until it is hidden, also when Parley is killed before that', async () => {
  const before = listedIds();
  await prepareHiding(temp.store, CHAT, place('m1'));
  expect(listedIds()).toEqual(before);
  expect(hiddenInExport()).toBe(0);
  await temp.reopen();
  expect(listedIds()).toEqual(before);
  const changes = createBranchChanges(temp.store);
  changes.recover();
  const next = changes.change(
    CHAT,
    () => [],
    async () => listedIds(),
  );
  expect(await next).toEqual(before);
  expect(unsettled()).toEqual([]);
  expect(hiddenInExport()).toBe(0);
});

it('a branch is hidden at once by an edit, and listed again as soon as its version is chosen', async () => {
  const before = listedIds();
  await edit('m1', 'other');
  expect(listedIds()).toEqual(['m0', 're m0', 'other', 're other']);
  expect(unsettled()).toEqual([]);
  const { id, seq } = place('other');
  await temp.store.write((writer) => showMessage(writer, CHAT, place('m1'), new Map([[id, seq]])));
  expect(unsettled()).toEqual([{ id: 'm1', chatId: CHAT }]);
  expect(listedIds()).toEqual(before);
  await temp.reopen();
  expect(listedIds()).toEqual(before);
  await settleVersions(temp.store, CHAT);
  expect(listedIds()).toEqual(before);
  expect(unsettled()).toEqual([]);
  expect(hiddenInExport()).toBe(2);
});

it('a long branch leaves a reply to an earlier message that was stored inside it', async () => {
  await temp.store.write((writer) => {
    for (const id of ['x', 'y']) createMessage(writer, storedMessage({ id, chatId: CHAT }));
    for (const id of ['x', 'y']) createMessage(writer, reply(id));
    for (let index = 0; index < ROWS_AT_ONCE; index += 1) add(writer, `late${index}`);
  });
  const before = listedIds();
  await edit('y', 'other');
  expect(listedIds()).toEqual([...before.slice(0, before.indexOf('y')), 're x', 'other', 're other']);
});

it('changes of one chat come one after the other, and a refused one leaves nothing', async () => {
  const before = listedIds();
  const changes = createBranchChanges(temp.store);
  const refused = changes.change(
    CHAT,
    () => [place('m1')],
    () => Promise.reject(new Error('refused')),
  );
  const next = changes.change(
    CHAT,
    () => [],
    async () => ({ unsettled: unsettled(), listed: listedIds(), hidden: hiddenInExport() }),
  );
  await expect(refused).rejects.toThrow('refused');
  expect(await next).toEqual({ unsettled: [], listed: before, hidden: 0 });
});
