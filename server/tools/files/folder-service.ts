/** The folders that a person allowed tools to work in; apart from HTTP, and from the tools. */
import { basename } from 'node:path';
import type { AddFolderBody, AllowedFolder } from '../../../shared/api/folder.ts';
import { MAX_FOLDERS } from '../../../shared/limits.ts';
import { cleanName } from '../../lib/clean-name.ts';
import { AppError } from '../../errors.ts';
import {
  createAllowedFolder,
  deleteAllowedFolder,
  listAllowedFolders,
  type StoredAllowedFolder,
} from '../../store/allowed-folder-repository.ts';
import { readSettled } from '../../store/read-settled.ts';
import type { Store } from '../../store/types.ts';
import { isAvailable, readFolderPath } from './check-folder.ts';

/** What {@link createFolderService} works with. */
export interface FolderServiceDeps {
  store: Store;
  /** Parley's own, which is never allowed. */
  dataDir: string;
  clock: () => Date;
  newId: () => string;
}

/** Managing allowed folders. Nothing is told before it is on disk; the folders themselves are never changed. */
export type FolderService = ReturnType<typeof createFolderService>;

/** Makes the folder service of a store. */
export function createFolderService({ store, dataDir, clock, newId }: FolderServiceDeps) {
  return {
    /** Oldest first, with whether each can be worked in now. */
    async list(): Promise<AllowedFolder[]> {
      const folders = await readSettled(store, listAllowedFolders);
      return Promise.all(folders.map(toFolder));
    },

    /** Whether there is any, available or not. */
    isAny: (): boolean => store.read(listAllowedFolders).length > 0,

    /**
     * Rejects with AppError `invalid_request` when it is no folder that can be allowed, `conflict` when it is allowed already
     * or there are {@link MAX_FOLDERS}, or when the disk refuses.
     */
    async add(body: AddFolderBody): Promise<AllowedFolder> {
      const path = await readFolderPath(body.path, dataDir);
      const folder = await store.write((writer) => {
        const others = listAllowedFolders(writer);
        const same = others.find((other) => other.path === path);
        if (same !== undefined) {
          throw new AppError('conflict', `That folder is already allowed, as “${same.name}”.`);
        }
        if (others.length >= MAX_FOLDERS) throw new AppError('conflict', TOO_MANY);
        const added = { id: newId(), name: nameFor(path, others), path, createdAt: clock().toISOString() };
        createAllowedFolder(writer, added);
        return added;
      });
      return toFolder(folder);
    },

    /** Takes it off the list; counts at once. Null: it is not on the list. */
    async remove(id: string): Promise<AllowedFolder | null> {
      const folder = await store.write((writer) => deleteAllowedFolder(writer, id));
      return folder && toFolder(folder);
    },
  };
}

const TOO_MANY = `There are ${MAX_FOLDERS} folders already, which is the most there can be; remove one first.`;

const toFolder = async (folder: StoredAllowedFolder): Promise<AllowedFolder> => ({
  ...folder,
  available: await isAvailable(folder.path),
});

/** Its own name, or that with a number where another folder has it. */
function nameFor(path: string, others: readonly StoredAllowedFolder[]): string {
  const own = cleanName(basename(path)) ?? 'Folder';
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  let name = own;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${own} ${number}`;
  return name;
}
