import { expect, onTestFinished, test } from 'vitest';
import type { StoreChange } from '../../../server/store/types.ts';
import { eventually } from '../../support/eventually.ts';
import { createMortalDisk } from '../../support/mortal-disk.ts';
import { openTempStore } from '../../support/store.ts';

const put = 'INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)';

test('listeners are told of every change, also of one that the disk takes back, until they want no more', async () => {
  const disk = createMortalDisk();
  const temp = await openTempStore({ disk, limits: { checkIntervalMs: 20 } });
  onTestFinished(() => temp.remove());
  const { store } = temp;
  const reported: StoreChange[] = [];
  /** What a listener can read when it is told. */
  const seen: unknown[] = [];
  const end = store.onChange((change) => {
    reported.push(change);
    seen.push(store.read((reader) => reader.get<{ value: string }>('SELECT value FROM settings')?.value));
  });

  await store.write((writer) => writer.run(put, ['a', '1']));
  expect([reported, seen]).toEqual([['written'], ['1']]);
  await store.write((writer) => writer.run('DELETE FROM settings WHERE name = ?', ['b']));
  await store.write(() => Promise.resolve()).catch(() => undefined);
  expect(reported).toHaveLength(1);

  disk.isFull = true;
  await expect(store.write((writer) => writer.run(put, ['a', '2']))).rejects.toThrow();
  await eventually(() => expect(reported).toEqual(['written', 'written', 'went back']));
  expect(seen).toEqual(['1', '2', '1']);
  disk.isFull = false;
  await eventually(() => expect(store.writable).toBe(true));

  end();
  const { version } = store;
  await store.write((writer) => writer.run(put, ['a', '3']));
  expect(store.version).toBe(version + 1);
  expect(reported).toHaveLength(3);
});
