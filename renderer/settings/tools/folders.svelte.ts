import type { AllowedFolder } from '../../../shared/api/folder.ts';
import type { FolderApi } from '../../api/folders.ts';

/** The folders that tools may work in. All methods reject as the API does. */
export class Folders {
  /** Oldest first. */
  items = $state.raw<readonly AllowedFolder[]>([]);
  loaded = $state(false);
  readonly #api: FolderApi;

  constructor(api: FolderApi) {
    this.#api = api;
  }

  async refresh(): Promise<void> {
    this.items = await this.#api.listFolders();
    this.loaded = true;
  }

  async add(path: string): Promise<AllowedFolder> {
    const folder = await this.#api.addFolder(path);
    this.items = [...this.items.filter(({ id }) => id !== folder.id), folder];
    return folder;
  }

  async remove(id: string): Promise<void> {
    await this.#api.removeFolder(id);
    this.items = this.items.filter((folder) => folder.id !== id);
  }
}
