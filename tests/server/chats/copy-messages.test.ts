import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCopier } from '../../../server/chats/copy-messages.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import type { Reader } from '../../../server/store/types.ts';
import { startTestService } from '../../support/service.ts';
import { storedMessage } from '../../support/stored.ts';

it('reads little at a time, however many messages lie between those to copy and after them', async () => {
  const { service } = await startTestService();
  const all = await service.store.write((writer) =>
    Array.from({ length: 600 }, (_, index) => {
      const message = storedMessage({ content: String(index) });
      return { id: message.id, seq: createMessage(writer, message) };
    }),
  );
  const read = [0, 1, 300, 301, 302].flatMap((index) => all[index] ?? []);
  let rows = 0;
  const counted = (reader: Reader): Reader => ({
    ...reader,
    all: <Row>(...args: Parameters<Reader['all']>) => {
      const found = reader.all<Row>(...args);
      rows += found.length;
      return found;
    },
  });
  const nextCopies = createCopier('chat', read, randomUUID);
  const copied: string[][] = [];
  do {
    rows = 0;
    copied.push(service.store.read((reader) => nextCopies(counted(reader))).map(({ content }) => content));
    expect(rows).toBeLessThan(100);
  } while (copied.at(-1)?.length !== 0);
  expect(copied).toEqual([['0', '1'], ['300', '301', '302'], []]);
});
