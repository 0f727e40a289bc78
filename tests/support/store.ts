import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StoreOptions, openStore } from '../../server/store/store.ts';
import { createFileStore, type FileStore } from '../../server/files/file-store.ts';
import type { Store } from '../../server/store/types.ts';

export interface TempStore {
  store: Store;
  /** The store's folder. */
  dir: string;
  /** Closes the store and opens it again from its files. */
  reopen(): Promise<Store>;
  /** Closes the store and removes its folder. */
  remove(): Promise<void>;
}

/** A store in its own temporary folder, with Parley's schema unless the options say otherwise. */
export async function openTempStore(options: Omit<StoreOptions, 'dir'> = {}): Promise<TempStore> {
  const root = await mkdtemp(join(tmpdir(), 'parley-store-'));
  const dir = join(root, 'store');
  const temp: TempStore = {
    store: await openStore({ ...options, dir }),
    dir,
    async reopen() {
      await temp.store.close();
      temp.store = await openStore({ ...options, dir });
      return temp.store;
    },
    async remove() {
      await temp.store.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  return temp;
}

/** The files of a store, beside its folder. */
export const filesOf = ({ store, dir }: Pick<TempStore, 'store' | 'dir'>): FileStore =>
  createFileStore({ store, dataDir: join(dir, '..') });

/** Stands in for the files of messages, where there are none. */
export const NO_FILES = { sweep: () => Promise.resolve(), tidy: () => Promise.resolve() };
