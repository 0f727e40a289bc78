/** The smallest schema that shows what a store keeps: numbered texts. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Migration } from '../../server/store/migrations.ts';
import { type StoreOptions, openStore } from '../../server/store/store.ts';
import type { Store } from '../../server/store/types.ts';

export const ITEM_MIGRATIONS: readonly Migration[] = [
  ['CREATE TABLE items (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'],
];

/** Stores a new item, resolving when it is durable. */
export const addItem = (store: Store, id: number, text = `item ${id}`): Promise<number> =>
  store.write((writer) => writer.run('INSERT INTO items (id, text) VALUES (?, ?)', [id, text]));

/** The ids of all items, in order. */
export const itemIds = (store: Store): number[] =>
  store.read((reader) => reader.all<{ id: number }>('SELECT id FROM items ORDER BY id').map((row) => row.id));

/** A store of items in a folder. */
export const openItems = (dir: string, options: Omit<StoreOptions, 'dir'> = {}): Promise<Store> =>
  openStore({ migrations: ITEM_MIGRATIONS, ...options, dir });

/** What a crash would leave: a copy of the folder's current files in a new folder. */
export async function crashImage(dir: string): Promise<string> {
  const image = join(await mkdtemp(join(tmpdir(), 'parley-image-')), 'store');
  await cp(dir, image, { recursive: true });
  return image;
}

/** Removes a folder that {@link crashImage} made. */
export const removeImage = (image: string): Promise<void> =>
  rm(dirname(image), { recursive: true, force: true, maxRetries: 5 });

/** The result of `read` in the store that a start after a crash now would find. */
export async function readAfterCrash<T>(dir: string, read: (store: Store) => T): Promise<T> {
  const image = await crashImage(dir);
  const copy = await openItems(image);
  const found = read(copy);
  await copy.close();
  await removeImage(image);
  return found;
}

/** The ids of the items that a crash now would leave. */
export const idsAfterCrash = (dir: string): Promise<number[]> => readAfterCrash(dir, itemIds);

/** A new folder for a test. */
export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'parley-test-'));
