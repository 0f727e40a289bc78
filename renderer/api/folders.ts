/** The part of the API about folders that tools may work in; all of it needs the scope `admin`. */
import type { AllowedFolder, FolderAnswer, FolderList } from '../../shared/api/folder.ts';
import type { Request } from './http.ts';

/** Folders that tools may work in. */
export interface FolderApi {
  /** Oldest first. */
  listFolders(): Promise<AllowedFolder[]>;
  addFolder(path: string): Promise<AllowedFolder>;
  /** Takes it off the list; the folder itself stays as it is. */
  removeFolder(folderId: string): Promise<AllowedFolder>;
}

/** The part of a client that {@link FolderApi} describes. */
export function folderApi(request: Request): FolderApi {
  const all = '/api/v1/folders';
  return {
    listFolders: async () => (await request<FolderList>('GET', all)).folders,
    addFolder: async (path) => (await request<FolderAnswer>('POST', all, { body: { path } })).folder,
    removeFolder: async (folderId) =>
      (await request<FolderAnswer>('DELETE', `${all}/${encodeURIComponent(folderId)}`)).folder,
  };
}
