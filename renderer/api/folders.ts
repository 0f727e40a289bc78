/** The part of the API about folders that tools may work in; all of it needs the scope `admin`. */
import type { AllowedFolder } from '../../shared/api/folder.ts';
import type { Ask } from './http.ts';

/** Folders that tools may work in. */
export type FolderApi = ReturnType<typeof folderApi>;

/** The part of a client that {@link FolderApi} is. */
export const folderApi = (ask: Ask) => ({
  /** Oldest first. */
  listFolders: (): Promise<AllowedFolder[]> =>
    ask((api) => api.GET('/api/v1/folders')).then(({ folders }) => folders),
  addFolder: (path: string): Promise<AllowedFolder> =>
    ask((api) => api.POST('/api/v1/folders', { body: { path } })).then(({ folder }) => folder),
  /** Takes it off the list; the folder itself stays as it is. */
  removeFolder: (folderId: string): Promise<AllowedFolder> =>
    ask((api) => api.DELETE('/api/v1/folders/{folderId}', { params: { path: { folderId } } })).then(
      ({ folder }) => folder,
    ),
});
